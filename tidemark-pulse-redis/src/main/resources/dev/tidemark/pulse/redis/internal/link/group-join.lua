-- Makes sure that a consumer group exists with this consumer in it. May be repeated.
--
-- KEYS: stream, sinks (hash: low:, grace: and terms: of each, length), readers. ARGV: group, position at
--       which a new sink begins, grace in ms, whether this consumer had joined before, time to live of the
--       stream in ms or 0, consumer, maximum length as in length.lua, terms:
--       what else all consumers share.
-- All consumers need one grace and the same terms; they can be others when no other consumer has
-- shown itself for two graces.
-- A group that was lost goes on behind what had been acknowledged without a gap: its low.
-- Answer: the grace of the sink, whether a lost group was made again, the terms of the sink.
local stream, sinks, group = KEYS[1], KEYS[2], ARGV[1]

local function any_lives(consumers, grace)
  for i = 1, #consumers do
    local each = named(consumers[i])
    if each.name ~= ARGV[6] and each.idle <= 2 * tonumber(grace) then
      return true
    end
  end
  return false
end

local function apply()
  local consumers = redis.pcall('XINFO', 'CONSUMERS', stream, group)
  local grace = redis.call('HGET', sinks, 'grace:' .. group) or ARGV[3]
  local terms = redis.call('HGET', sinks, 'terms:' .. group) or ARGV[8]
  local differs = grace ~= ARGV[3] or terms ~= ARGV[8]
  if differs and not consumers.err and any_lives(consumers, grace) then
    return {grace, 0, terms}
  end
  redis.call('HSET', sinks, 'grace:' .. group, ARGV[3], 'terms:' .. group, ARGV[8])
  if not consumers.err then
    redis.call('XGROUP', 'CREATECONSUMER', stream, group, ARGV[6])
    live_beside(stream, sinks)
    return {ARGV[3], 0, ARGV[8]}
  end
  local low = redis.call('HGET', sinks, 'low:' .. group)
  local lost = (low or ARGV[4] == '1') and 1 or 0
  if not low then
    low = ARGV[4] == '1' and '0-0' or ARGV[2]
    redis.call('HSET', sinks, 'low:' .. group, low)
  end
  local new = redis.call('EXISTS', stream) == 0
  if new then
    length_max(stream, sinks, KEYS[3], ARGV[7])
  end
  redis.call('XGROUP', 'CREATE', stream, group, low, 'MKSTREAM')
  redis.call('XGROUP', 'CREATECONSUMER', stream, group, ARGV[6])
  if new and ARGV[5] ~= '0' then
    redis.call('PEXPIRE', stream, ARGV[5])
    live_beside(stream, KEYS[3])
  end
  live_beside(stream, sinks)
  return {ARGV[3], lost, ARGV[8]}
end
