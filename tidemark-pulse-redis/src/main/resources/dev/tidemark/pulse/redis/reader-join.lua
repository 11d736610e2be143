-- Begins a durable cursor unless there is one. May be repeated.
--
-- KEYS: readers, stream. ARGV: reader, position at which a new cursor begins.
-- Answer: where the cursor is.
local function apply()
  redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
  live_beside(KEYS[2], KEYS[1])
  return {redis.call('HGET', KEYS[1], ARGV[1])}
end
