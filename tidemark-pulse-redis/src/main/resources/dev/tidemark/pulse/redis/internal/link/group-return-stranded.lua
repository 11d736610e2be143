-- Releases events that this consumer holds behind the last one that it has got: the reply was lost, so
-- they were not delivered. May be repeated.
--
-- KEYS: stream. ARGV: group, consumer, grace in ms, id of the last event that it has got.
-- Answer: how many were given back.
local stream, group, me = KEYS[1], ARGV[1], ARGV[2]

local function apply()
  local returned, from = 0, '(' .. ARGV[4]
  while true do
    local held = redis.pcall('XPENDING', stream, group, from, '+', 1000, me)
    if held.err or #held == 0 then
      return {returned}
    end
    for i = 1, #held do
      redis.call('XCLAIM', stream, group, me, 0, held[i][1], 'IDLE', ARGV[3], 'RETRYCOUNT', 0, 'JUSTID')
    end
    returned = returned + #held
    from = '(' .. held[#held][1]
  end
end
