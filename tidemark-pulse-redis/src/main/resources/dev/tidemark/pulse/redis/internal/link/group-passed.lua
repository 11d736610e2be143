-- Moves the low-water mark of a sink that acknowledges by handing out, before it hands out. It moves
-- forward only: another consumer may have handed out later events.
--
-- KEYS: stream, sinks. ARGV: group, the greatest id that will be handed out.

-- Whether a number is greater; both are too long for those of Lua.
local function greater(one, other)
  if #one ~= #other then
    return #one > #other
  end
  return one > other
end

local function later(id, other)
  local major, minor = string.match(id, '^(%d+)-(%d+)$')
  local other_major, other_minor = string.match(other, '^(%d+)-(%d+)$')
  return greater(major, other_major) or major == other_major and greater(minor, other_minor)
end

local function apply()
  local low = redis.call('HGET', KEYS[2], 'low:' .. ARGV[1])
  if not low or later(ARGV[2], low) then
    redis.call('HSET', KEYS[2], 'low:' .. ARGV[1], ARGV[2])
  end
  live_beside(KEYS[1], KEYS[2])
  return {1}
end
