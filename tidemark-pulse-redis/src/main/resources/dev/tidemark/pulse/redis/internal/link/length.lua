-- How many events a stream keeps, or 0 for all, as its sinks hash remembers. What a caller says counts
-- for all from then on. One who says nothing, '?' and a number, follows what is known, and sets that
-- number where the stream begins; a stream that others began without a number is theirs to trim.
-- What an earlier stream left beside it, sinks and readers, lives on with one that begins.
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
