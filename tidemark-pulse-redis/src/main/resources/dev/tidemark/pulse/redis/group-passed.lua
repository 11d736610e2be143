-- Moves the mark of a sink that acknowledges by handing out, before it hands out.
--
-- KEYS: stream, sinks. ARGV: group, the greatest id that will be handed out.
local function apply()
  redis.call('HSET', KEYS[2], 'low:' .. ARGV[1], ARGV[2])
  live_beside(KEYS[1], KEYS[2])
  return {1}
end
