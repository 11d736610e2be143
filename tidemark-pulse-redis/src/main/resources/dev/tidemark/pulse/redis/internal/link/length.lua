-- How many events a stream keeps, or 0 for all, as stored in its sinks hash. A number that a caller
-- gives applies to all from then on. A caller without one sends '?' and a default: it follows what is
-- stored, and stores the default if it begins the stream. A stream that other programs began without a
-- number is not trimmed. Sinks and readers that an earlier stream left go on with one that begins.
local function length_max(stream, sinks, readers, said)
  local known = redis.call('HGET', sinks, 'length')
  local at_first = string.match(said, '^%?(%d+)$')
  local begins = redis.call('EXISTS', stream) == 0
  if at_first and not begins then
    return known or '0'
  end
  local length = at_first or said
  if begins or known ~= length then
    redis.call('HSET', sinks, 'length', length)
    if begins then
      redis.call('PERSIST', sinks)
      redis.call('PERSIST', readers)
    end
    live_beside(stream, sinks)
  end
  return length
end
