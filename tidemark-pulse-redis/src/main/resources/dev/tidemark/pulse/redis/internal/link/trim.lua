-- For scripts that add events.

-- Notes that a group has lost events: those between an id that it has got and one that it will get.
-- A group that has got nothing since the loss before loses more of the same. If nobody asks for so
-- long that the list is full, the last entry stands for all that follow.
local function note_loss(stream, sinks, group, after, before)
  local known = redis.call('HGET', sinks, 'lost:' .. group)
  local lost = known and cmsgpack.unpack(known) or {}
  if #lost > 0 and (lost[#lost - 1] == after or #lost >= 40) then
    lost[#lost] = before
  else
    lost[#lost + 1], lost[#lost + 2] = after, before
  end
  redis.call('HSET', sinks, 'lost:' .. group, cmsgpack.pack(lost))
  live_beside(stream, sinks)
end

-- Removes the oldest events of a stream that has more than it keeps, in whole nodes of its tree, and
-- notes which groups had not got all of them. It waits until there are some too many, a tenth but at
-- most 100, so that the groups of a long stream are seldom looked at.
local function trim(stream, sinks, length)
  local max = tonumber(length)
  if max == 0 or redis.call('XLEN', stream) <= max + math.min(100, math.floor(max / 10)) then
    return
  end
  local groups, behind = redis.call('XINFO', 'GROUPS', stream), {}
  for i = 1, #groups do
    local group = named(groups[i])
    local last = group['last-delivered-id']
    local next_entry = redis.call('XRANGE', stream, '(' .. last, '+', 'COUNT', 1)[1]
    if next_entry then
      behind[#behind + 1] = {group.name, last, next_entry[1]}
    end
  end
  if redis.call('XTRIM', stream, 'MAXLEN', '~', length) == 0 then
    return
  end
  local first = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1][1]
  for i = 1, #behind do
    local group, last, unread = unpack(behind[i])
    if #redis.call('XRANGE', stream, unread, unread) == 0 then
      note_loss(stream, sinks, group, last, first)
    end
  end
end

