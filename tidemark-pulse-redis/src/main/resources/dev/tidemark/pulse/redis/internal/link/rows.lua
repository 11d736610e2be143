-- One transition over the rows of a pool: carried out if what it saw is still so, and otherwise
-- told how it is.
--
-- KEYS: rows (hash of key -> version and value), keys (sorted set, all of one score), revision,
--       and where it writes the memory of the operation.
-- ARGV: number of the operation, then each with its count before:
--       rows seen: key, version (empty for absent)
--       ranges seen: begin, end, limit, greatest version of a row, number of rows, last key
--       rows to set: key, value; rows to clear: key; ranges to clear: begin, end;
--       messages: channel, content.
-- Answer: 1 and the revision, 0 if nothing was written; or 0, the rows that are different (place,
--         row) and the ranges that are different (place, keys, rows).
--
-- Whoever dispatches a job waits for this, so it goes through the arguments by their places: a
-- function that hands out one after the other is slower.
local WIDTH = 16
local PART = 1000 -- so many values are arguments of one command

local argv, call, sub, max = ARGV, redis.call, string.sub, math.max

-- Calls step with parts of a list that are short enough to be arguments of one command.
local function in_parts(list, step)
  for first = 1, #list, PART do
    step(unpack(list, first, math.min(first + PART - 1, #list)))
  end
end

local function values(members)
  if #members > 0 and #members <= PART then
    return call('HMGET', KEYS[1], unpack(members))
  end
  local found = {}
  in_parts(members, function(...)
    local part = call('HMGET', KEYS[1], ...)
    for i = 1, #part do
      found[#found + 1] = part[i]
    end
  end)
  return found
end

-- A row that was set since then makes the greatest version another one; a row that has gone, or one that
-- is there again after the server lost what it was told last, the number of rows or the last of them.
local function as_seen(members, found, newest, count, last)
  if #members ~= count or (count > 0 and members[count] ~= last) then
    return false
  end
  local greatest = 0
  for i = 1, #found do
    greatest = max(greatest, tonumber(sub(found[i], 1, WIDTH)))
  end
  return greatest == newest
end

-- Those of the rows seen whose count is at the place at that are different; the place behind them.
local function changed_rows(at)
  local keys, changed, count = {}, {}, tonumber(argv[at])
  for i = 1, count do
    keys[i] = argv[at + 2 * i - 1]
  end
  local rows = values(keys)
  for i = 1, count do
    local row = rows[i]
    if (row and sub(row, 1, WIDTH) or '') ~= argv[at + 2 * i] then
      changed[#changed + 1] = i - 1
      changed[#changed + 1] = row
    end
  end
  return changed, at + 2 * count + 1
end

-- The same for ranges.
local function changed_ranges(at)
  local changed, count = {}, tonumber(argv[at])
  for place = 0, count - 1 do
    local first, last_of_range, limit, newest, seen, last =
      unpack(argv, at + 6 * place + 1, at + 6 * place + 6)
    local members =
      call('ZRANGEBYLEX', KEYS[2], '[' .. first, '(' .. last_of_range, 'LIMIT', 0, limit)
    local found = values(members)
    if not as_seen(members, found, tonumber(newest), tonumber(seen), last) then
      changed[#changed + 1] = place
      changed[#changed + 1] = members
      changed[#changed + 1] = found
    end
  end
  return changed, at + 6 * count + 1
end

local function remove(members)
  in_parts(members, function(...)
    call('HDEL', KEYS[1], ...)
    call('ZREM', KEYS[2], ...)
  end)
end

-- The time in microseconds, or the next number: that of a transition that was lost, with the row
-- it wrote, does not come back with another row. It has 16 digits.
local function next_revision()
  local after = (tonumber(call('GET', KEYS[3])) or 0) + 1
  local revision = string.format('%0' .. WIDTH .. '.0f', max(after, micros()))
  call('SET', KEYS[3], revision)
  return revision
end

local function clear(first, count)
  local members = {}
  for i = 1, count do
    members[i] = argv[first + i - 1]
  end
  remove(members)
end

local function clear_ranges(first, count)
  for at = first, first + 2 * count - 1, 2 do
    remove(call('ZRANGEBYLEX', KEYS[2], '[' .. argv[at], '(' .. argv[at + 1]))
  end
end

local function set(first, count, revision)
  local rows, members = {}, {}
  for i = 1, 2 * count, 2 do
    local key = argv[first + i - 1]
    rows[i], rows[i + 1] = key, revision .. argv[first + i]
    members[i], members[i + 1] = 0, key
  end
  in_parts(rows, function(...) call('HSET', KEYS[1], ...) end)
  in_parts(members, function(...) call('ZADD', KEYS[2], ...) end)
end

local function publish(first, count)
  for at = first, first + 2 * count - 1, 2 do
    call('PUBLISH', argv[at], argv[at + 1])
  end
end

local function apply()
  local rows, ranges, at
  rows, at = changed_rows(2)
  ranges, at = changed_ranges(at)
  if #rows > 0 or #ranges > 0 then
    return {0, rows, ranges}, true
  end
  local sets = tonumber(argv[at])
  local clears_at = at + 2 * sets + 1
  local clears = tonumber(argv[clears_at])
  local ranges_at = clears_at + clears + 1
  local cleared_ranges = tonumber(argv[ranges_at])
  local messages_at = ranges_at + 2 * cleared_ranges + 1
  local messages = tonumber(argv[messages_at])
  if sets + clears + cleared_ranges + messages == 0 then
    return {1, '0'}, true
  end
  local revision = next_revision()
  clear_ranges(ranges_at + 1, cleared_ranges)
  clear(clears_at + 1, clears)
  set(at + 1, sets, revision)
  publish(messages_at + 1, messages)
  return {1, revision}
end
