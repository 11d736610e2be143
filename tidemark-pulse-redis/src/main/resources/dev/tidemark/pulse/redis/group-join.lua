-- Makes sure that a consumer group exists with this consumer in it. May be repeated.
--
-- KEYS: stream, sinks (hash: low: and grace: of each, length). ARGV: group, position at which a new
--       sink begins, grace in ms, whether this consumer had joined before, time to live of the
--       stream in ms or 0, consumer, maximum length as in length.lua.
-- All consumers need one grace; it can be another one when none is left.
-- A group that was lost goes on behind what had been acknowledged without a gap: its low.
-- Answer: the grace of the sink, whether a lost group was made again.
local stream, sinks, group = KEYS[1], KEYS[2], ARGV[1]

local function consumers()
  local fine = redis.pcall('XINFO', 'CONSUMERS', stream, group)
  if fine.err then
    return nil
  end
  return #fine
end

local function apply()
  local members = consumers()
  local grace = redis.call('HGET', sinks, 'grace:' .. group)
  if grace and grace ~= ARGV[3] and (members or 0) > 0 then
    return {grace, 0}
  end
  redis.call('HSET', sinks, 'grace:' .. group, ARGV[3])
  if members then
    redis.call('XGROUP', 'CREATECONSUMER', stream, group, ARGV[6])
    live_beside(stream, sinks)
    return {ARGV[3], 0}
  end
  local low = redis.call('HGET', sinks, 'low:' .. group)
  local lost = (low or ARGV[4] == '1') and 1 or 0
  if not low then
    low = ARGV[4] == '1' and '0-0' or ARGV[2]
    redis.call('HSET', sinks, 'low:' .. group, low)
  end
  local new = redis.call('EXISTS', stream) == 0
  if new then
    length_max(stream, sinks, ARGV[7])
  end
  redis.call('XGROUP', 'CREATE', stream, group, low, 'MKSTREAM')
  redis.call('XGROUP', 'CREATECONSUMER', stream, group, ARGV[6])
  if new and ARGV[5] ~= '0' then
    redis.call('PEXPIRE', stream, ARGV[5])
  end
  live_beside(stream, sinks)
  return {ARGV[3], lost}
end
