-- Takes what was noted of events that a group has lost, so that one consumer tells its program.
--
-- KEYS: stream, sinks, memory of the operation. ARGV: number of the operation, group.
-- Answer: two ids for each loss: the last event before it that the group had got, and the first
--       one behind it.
local function apply()
  local known = redis.call('HGET', KEYS[2], 'lost:' .. ARGV[2])
  if not known then
    return {}, true
  end
  redis.call('HDEL', KEYS[2], 'lost:' .. ARGV[2])
  return cmsgpack.unpack(known)
end
