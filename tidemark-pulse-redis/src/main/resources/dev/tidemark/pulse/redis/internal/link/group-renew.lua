-- Begins the grace of events anew that this consumer still has.
--
-- KEYS: stream. ARGV: group, consumer, ids.
-- Answer: the ids of those.
local function apply()
  local renewed = {}
  for i = 3, #ARGV do
    local held = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1, ARGV[2])
    if not held.err and #held > 0 then
      redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'JUSTID')
      renewed[#renewed + 1] = ARGV[i]
    end
  end
  return renewed
end
