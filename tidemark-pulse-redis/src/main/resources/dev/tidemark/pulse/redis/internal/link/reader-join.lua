-- Begins a durable cursor unless there is one. May be repeated.
-- Where there is no stream yet, the cursor waits for it: what an earlier stream left would soon go.
--
-- KEYS: readers, stream. ARGV: reader, position at which a new cursor begins.
-- Answer: where the cursor is.
local function apply()
  redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
  if redis.call('EXISTS', KEYS[2]) == 0 then
    redis.call('PERSIST', KEYS[1])
  end
  live_beside(KEYS[2], KEYS[1])
  return {redis.call('HGET', KEYS[1], ARGV[1])}
end
