-- One transition over the rows of a pool: carried out if what it saw is still so, and otherwise
-- told how it is.
--
-- KEYS: rows (hash of key -> version and value), keys (sorted set, all of one score), revision,
--       and where it writes the memory of the operation.
-- ARGV: number of the operation, then each with its count before:
--       rows seen: key, version (empty for absent)
--       ranges seen: begin, end, limit, revision at which it was seen, number of rows, last key
--       rows to set: key, value; rows to clear: key; ranges to clear: begin, end;
--       messages: channel, content.
-- Answer: 1 and the revision; or 0, the revision, the rows that are different (place, row) and
--         the ranges that are different (place, keys, rows).
local WIDTH = 16
local at = 1

local function argument()
  at = at + 1
  return ARGV[at]
end

local function each(step)
  for place = 1, tonumber(argument()) do
    step(place)
  end
end

-- Calls step with parts of a list that are short enough to be arguments of one command.
local function in_parts(list, step)
  for first = 1, #list, 1000 do
    step(unpack(list, first, math.min(first + 999, #list)))
  end
end

local function values(members)
  local found = {}
  in_parts(members, function(...)
    local part = redis.call('HMGET', KEYS[1], ...)
    for i = 1, #part do
      found[#found + 1] = part[i]
    end
  end)
  return found
end

local function as_seen(members, found, revision, count, last)
  if #members ~= count or (count > 0 and members[count] ~= last) then
    return false
  end
  for i = 1, #found do
    if tonumber(string.sub(found[i], 1, WIDTH)) > revision then
      return false
    end
  end
  return true
end

local function changed_rows()
  local keys, versions, changed = {}, {}, {}
  each(function() keys[#keys + 1], versions[#versions + 1] = argument(), argument() end)
  local rows = values(keys)
  for i = 1, #keys do
    local found = rows[i] and string.sub(rows[i], 1, WIDTH) or ''
    if found ~= versions[i] then
      changed[#changed + 1] = i - 1
      changed[#changed + 1] = rows[i]
    end
  end
  return changed
end

local function changed_ranges()
  local changed = {}
  each(function(place)
    local first, last_of_range, limit = argument(), argument(), argument()
    local revision, count, last = tonumber(argument()), tonumber(argument()), argument()
    local members =
      redis.call('ZRANGEBYLEX', KEYS[2], '[' .. first, '(' .. last_of_range, 'LIMIT', 0, limit)
    local found = values(members)
    if not as_seen(members, found, revision, count, last) then
      changed[#changed + 1] = place - 1
      changed[#changed + 1] = members
      changed[#changed + 1] = found
    end
  end)
  return changed
end

local function remove(members)
  in_parts(members, function(...)
    redis.call('HDEL', KEYS[1], ...)
    redis.call('ZREM', KEYS[2], ...)
  end)
end

-- Revisions begin with the time, so that those of rows that were lost do not come back.
local function next_revision()
  local revision = redis.call('INCR', KEYS[3])
  if revision == 1 then
    local now = redis.call('TIME')
    redis.call('SET', KEYS[3], string.format('%d%06d', now[1], now[2]))
    revision = redis.call('INCR', KEYS[3])
  end
  return string.format('%0' .. WIDTH .. '.0f', revision)
end

local function apply()
  local rows, ranges = changed_rows(), changed_ranges()
  if #rows > 0 or #ranges > 0 then
    return {0, redis.call('GET', KEYS[3]) or '0', rows, ranges}, true
  end
  local sets, keys, clears, cleared_ranges, messages = {}, {}, {}, {}, {}
  each(function() sets[#sets + 1], sets[#sets + 2] = argument(), argument() end)
  each(function() clears[#clears + 1] = argument() end)
  each(function() cleared_ranges[#cleared_ranges + 1] = {argument(), argument()} end)
  each(function() messages[#messages + 1] = {argument(), argument()} end)
  if #sets + #clears + #cleared_ranges + #messages == 0 then
    return {1, redis.call('GET', KEYS[3]) or '0'}, true
  end
  local revision = next_revision()
  for i = 1, #cleared_ranges do
    local range = cleared_ranges[i]
    remove(redis.call('ZRANGEBYLEX', KEYS[2], '[' .. range[1], '(' .. range[2]))
  end
  remove(clears)
  for i = 1, #sets, 2 do
    keys[i], keys[i + 1] = 0, sets[i]
    sets[i + 1] = revision .. sets[i + 1]
  end
  in_parts(sets, function(...) redis.call('HSET', KEYS[1], ...) end)
  in_parts(keys, function(...) redis.call('ZADD', KEYS[2], ...) end)
  for i = 1, #messages do
    redis.call('PUBLISH', messages[i][1], messages[i][2])
  end
  return {1, revision}
end
