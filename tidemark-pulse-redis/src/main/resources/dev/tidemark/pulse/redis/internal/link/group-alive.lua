-- Shows that a consumer is alive, and forgets those that are not and have nothing left.
--
-- KEYS: stream, sinks. ARGV: group, consumer, ms after which a silent consumer is dead, whether this
--       one leaves, its grace in ms, its terms.
-- Answer: how many consumers there are; -1 if it has to join anew: there is no such group, or others
-- have agreed on something else while it was silent.
local stream, sinks, group, me = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local BEYOND = '18446744073709551615-18446744073709551614'

local function apply()
  local leaves = ARGV[4] == '1'
  if not leaves then
    local grace = redis.call('HGET', sinks, 'grace:' .. group) or ARGV[5]
    local terms = redis.call('HGET', sinks, 'terms:' .. group) or ARGV[6]
    if grace ~= ARGV[5] or terms ~= ARGV[6] then
      return {-1}
    end
    -- A look at the own events behind the last possible one: finds nothing, but is noticed.
    local seen = redis.pcall('XREADGROUP', 'GROUP', group, me, 'COUNT', 1, 'STREAMS', stream, BEYOND)
    if seen and seen.err then
      return {-1}
    end
  end
  local consumers = redis.pcall('XINFO', 'CONSUMERS', stream, group)
  if consumers.err then
    return {-1}
  end
  local left = 0
  for i = 1, #consumers do
    local each = named(consumers[i])
    local gone = leaves and each.name == me or not leaves and each.name ~= me and each.idle > tonumber(ARGV[3])
    if gone and each.pending == 0 then
      redis.call('XGROUP', 'DELCONSUMER', stream, group, each.name)
    else
      left = left + 1
    end
  end
  return {left}
end
