-- Takes over events whose consumers have had them for longer than the grace.
--
-- KEYS: stream, memory of the operation. ARGV: number of the operation, group, consumer, grace in
--       ms, how many at most.
-- Answer: id, deliveries and fields of each. The memory has ids and deliveries alone.
local stream, group, consumer = KEYS[1], ARGV[2], ARGV[3]

local function apply()
  local idle = redis.pcall('XPENDING', stream, group, 'IDLE', ARGV[4], '-', '+', ARGV[5])
  if idle.err then
    return redis.error_reply(idle.err), true
  end
  local taken = {}
  for i = 1, #idle do
    local id, deliveries = idle[i][1], idle[i][4] + 1
    if #redis.call('XRANGE', stream, id, id) > 0 then
      redis.call('XCLAIM', stream, group, consumer, 0, id, 'RETRYCOUNT', deliveries, 'JUSTID')
      taken[#taken + 1] = id
      taken[#taken + 1] = deliveries
    else
      -- It was removed or trimmed while it waited to be acknowledged.
      redis.call('XACK', stream, group, id)
    end
  end
  return taken, #taken == 0
end

answer_of = function(taken)
  if taken.err then
    return taken
  end
  local answer = {}
  for i = 1, #taken, 2 do
    local entry = redis.call('XRANGE', stream, taken[i], taken[i])[1]
    if entry then
      answer[#answer + 1] = taken[i]
      answer[#answer + 1] = taken[i + 1]
      answer[#answer + 1] = entry[2]
    end
  end
  return answer
end
