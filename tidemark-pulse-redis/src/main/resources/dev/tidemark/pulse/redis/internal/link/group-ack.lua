-- Acknowledges events, and moves the low-water mark, from which a lost group would go on. May be
-- repeated.
--
-- KEYS: stream, sinks. ARGV: group, ids.
-- Answer: how many were acknowledged.
local stream, sinks, group = KEYS[1], KEYS[2], ARGV[1]

-- The position behind which events of this id and later ones are.
local function before(id)
  local major, minor = string.match(id, '^(%d+)-(%d+)$')
  if minor ~= '0' then
    return major .. '-' .. string.format('%.0f', tonumber(minor) - 1)
  end
  return string.format('%.0f', tonumber(major) - 1) .. '-18446744073709551615'
end

-- Up to where the group has handed out events. One that was lost and made again begins anew, so this
-- may be before what was acknowledged to the lost one.
local function delivered()
  local groups = redis.call('XINFO', 'GROUPS', stream)
  for i = 1, #groups do
    local fields = named(groups[i])
    if fields.name == group then
      return fields['last-delivered-id']
    end
  end
end

local function apply()
  local count = 0
  for first = 2, #ARGV, 1000 do
    count = count + redis.call('XACK', stream, group, unpack(ARGV, first, math.min(first + 999, #ARGV)))
  end
  local pending = redis.pcall('XPENDING', stream, group)
  if not pending.err then
    redis.call('HSET', sinks, 'low:' .. group, pending[1] == 0 and delivered() or before(pending[2]))
    live_beside(stream, sinks)
  end
  return {count}
end
