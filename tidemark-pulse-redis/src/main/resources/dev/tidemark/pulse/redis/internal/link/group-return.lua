-- Releases events that this consumer holds and has not delivered, so that others get them at once. May
-- be repeated: what has gone to another consumer stays there. No event loses more than one delivery.
--
-- KEYS: stream. ARGV: group, consumer, grace in ms, then id and deliveries before this one of each.
-- Answer: how many were given back.
local stream, group, me = KEYS[1], ARGV[1], ARGV[2]

local function apply()
  local returned = 0
  for i = 4, #ARGV, 2 do
    local held = redis.pcall('XPENDING', stream, group, ARGV[i], ARGV[i], 1, me)
    if not held.err and #held > 0 then
      local deliveries = math.max(tonumber(ARGV[i + 1]), held[1][4] - 1)
      redis.call('XCLAIM', stream, group, me, 0, ARGV[i], 'IDLE', ARGV[3], 'RETRYCOUNT', deliveries, 'JUSTID')
      returned = returned + 1
    end
  end
  return {returned}
end
