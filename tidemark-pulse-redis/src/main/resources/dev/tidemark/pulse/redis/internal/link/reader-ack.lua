-- Moves a durable cursor forward, never back. May be repeated.
--
-- KEYS: readers, stream. ARGV: reader, position: its two numbers.
local function apply()
  local here = redis.call('HGET', KEYS[1], ARGV[1])
  if here then
    local major, minor = string.match(here, '^(%d+)-(%d+)$')
    local new_major, new_minor = tonumber(ARGV[2]), tonumber(ARGV[3])
    if tonumber(major) > new_major or (tonumber(major) == new_major and tonumber(minor) >= new_minor) then
      return {0}
    end
  end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '-' .. ARGV[3])
  live_beside(KEYS[2], KEYS[1])
  return {1}
end
