-- Takes over events whose consumers have had them for longer than the grace.
--
-- KEYS: stream, memory of the operation. ARGV: number of the operation, group, consumer, grace in
--       ms, how many at most.
-- Answer: id, deliveries and fields of each.
local stream, group, consumer = KEYS[1], ARGV[2], ARGV[3]

local function apply()
  local idle = redis.pcall('XPENDING', stream, group, 'IDLE', ARGV[4], '-', '+', ARGV[5])
  if idle.err then
    return redis.error_reply(idle.err), true
  end
  local answer = {}
  for i = 1, #idle do
    local id, deliveries = idle[i][1], idle[i][4]
    local entry = redis.call('XCLAIM', stream, group, consumer, 0, id)[1]
    if entry and entry[2] then
      answer[#answer + 1] = id
      answer[#answer + 1] = deliveries + 1
      answer[#answer + 1] = entry[2]
    else
      -- It was removed or trimmed while it waited to be acknowledged.
      redis.call('XACK', stream, group, id)
    end
  end
  return answer, #answer == 0
end
