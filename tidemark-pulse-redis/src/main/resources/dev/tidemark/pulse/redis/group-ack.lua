-- Acknowledges events, and moves the mark from which a lost group would go on. May be repeated.
--
-- KEYS: stream, sinks. ARGV: group, greatest id of those that follow, ids.
-- Answer: how many were acknowledged.
local stream, sinks, group = KEYS[1], KEYS[2], ARGV[1]

local function parts(id)
  local major, minor = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(major), tonumber(minor)
end

local function is_greater(id, other)
  local major, minor = parts(id)
  local other_major, other_minor = parts(other)
  return major > other_major or (major == other_major and minor > other_minor)
end

-- The position behind which events of this id and later ones are.
local function before(id)
  local major, minor = string.match(id, '^(%d+)-(%d+)$')
  if minor ~= '0' then
    return major .. '-' .. string.format('%.0f', tonumber(minor) - 1)
  end
  return string.format('%.0f', tonumber(major) - 1) .. '-18446744073709551615'
end

local function apply()
  local count = 0
  for first = 3, #ARGV, 1000 do
    count = count + redis.call('XACK', stream, group, unpack(ARGV, first, math.min(first + 999, #ARGV)))
  end
  local top = redis.call('HGET', sinks, 'top:' .. group)
  if not top or is_greater(ARGV[2], top) then
    top = ARGV[2]
    redis.call('HSET', sinks, 'top:' .. group, top)
  end
  local pending = redis.pcall('XPENDING', stream, group)
  if not pending.err then
    redis.call('HSET', sinks, 'low:' .. group, pending[1] == 0 and top or before(pending[2]))
  end
  return {count}
end
