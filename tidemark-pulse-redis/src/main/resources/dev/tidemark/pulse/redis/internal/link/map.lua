-- One write to a map.
--
-- KEYS: content (hash of the entries, and =rev, =kind, =inc, =reset), memory of the operation.
-- ARGV: number of the operation, what to do, channel, time to live in ms or 0, sliding, key, and
--       what that write needs.
-- Answer: the entry before, the entry after, whether something changed, incarnation, revision.
local content = KEYS[1]
local verb, channel, key = ARGV[2], ARGV[3], ARGV[6]

local function field(text)
  return struct.pack('<I4', #text) .. text
end

local function publish(kind, fields)
  local message = kind .. ':'
  for i = 1, #fields do
    message = message .. field(fields[i])
  end
  redis.call('PUBLISH', channel, message)
end

local function keep_alive(left)
  local ttl = tonumber(ARGV[4])
  if ttl > 0 and (ARGV[5] == '1' or left < 0) then
    redis.call('PEXPIRE', content, ttl)
  elseif left > 0 then
    redis.call('PEXPIRE', content, left)
  end
end

-- Everything that changes the map passes here: the revision counts it and the copies hear of it.
local function note(kind, fields)
  local life = redis.call('HGET', content, '=inc')
  if not life then
    life = micros_as_text()
    redis.call('HSET', content, '=inc', life)
  end
  local revision = tostring(redis.call('HINCRBY', content, '=rev', 1))
  redis.call('HSET', content, '=kind', kind)
  fields[#fields + 1] = revision
  fields[#fields + 1] = life
  publish(kind, fields)
  return life, revision
end

local function set(before, value)
  redis.call('HSET', content, key, value)
  local life, revision = note('set', {key, value})
  keep_alive(redis.call('PTTL', content))
  return {before, value, 1, life, revision}
end

local function delete(before)
  redis.call('HDEL', content, key)
  local life, revision = note('del', {key})
  keep_alive(redis.call('PTTL', content))
  return {before, false, 1, life, revision}
end

local function unchanged(before)
  return {before, before, 0, '0', '0'}, true
end

-- Lists are JSON arrays of strings; text that is none was a list with commas.
local function decode(text)
  if not text then
    return {}
  end
  if string.match(text, '^%s*%[') then
    local fine, list = pcall(cjson.decode, text)
    if fine and type(list) == 'table' then
      local strings = true
      for i = 1, #list do
        strings = strings and type(list[i]) == 'string'
      end
      if strings then
        return list
      end
    end
  end
  local list = {}
  if #text > 0 then
    for part in string.gmatch(text .. ',', '([^,]*),') do
      list[#list + 1] = part
    end
  end
  return list
end

local function escaped(character)
  if character == '"' or character == '\\' then
    return '\\' .. character
  end
  return string.format('\\u%04x', string.byte(character))
end

local function encode(list)
  local strings = {}
  for i = 1, #list do
    strings[i] = '"' .. string.gsub(list[i], '[%z\1-\31"\\]', escaped) .. '"'
  end
  return '[' .. table.concat(strings, ',') .. ']'
end

local function as_set(list)
  local has = {}
  for i = 1, #list do
    has[list[i]] = true
  end
  return has
end

local verbs = {}

function verbs.set(before)
  return set(before, ARGV[7])
end

function verbs.setIfAbsent(before)
  if before then
    return unchanged(before)
  end
  return set(before, ARGV[7])
end

function verbs.testAndSet(before)
  if before ~= ARGV[7] then
    return unchanged(before)
  end
  return set(before, ARGV[8])
end

function verbs.increment(before)
  local sum = redis.pcall('HINCRBY', content, key, ARGV[7])
  if type(sum) == 'table' then
    return redis.error_reply('NOTANUMBER there is nothing to add to'), true
  end
  return set(before, redis.call('HGET', content, key))
end

function verbs.append(before)
  local list = decode(before)
  local has = as_set(list)
  local added = false
  for i = 9, #ARGV do
    if ARGV[8] == '0' or not has[ARGV[i]] then
      list[#list + 1] = ARGV[i]
      has[ARGV[i]] = true
      added = true
    end
  end
  if not added then
    return unchanged(before)
  end
  local text = encode(list)
  if #text > tonumber(ARGV[7]) then
    return redis.error_reply('TOOLARGE ' .. #text .. ' bytes'), true
  end
  return set(before, text)
end

function verbs.removeValues(before)
  local unwanted = {}
  for i = 7, #ARGV do
    unwanted[ARGV[i]] = true
  end
  local list, left = decode(before), {}
  for i = 1, #list do
    if not unwanted[list[i]] then
      left[#left + 1] = list[i]
    end
  end
  if #left == #list then
    return unchanged(before)
  end
  if #left == 0 then
    return delete(before)
  end
  return set(before, encode(left))
end

function verbs.delete(before)
  if not before then
    return unchanged(before)
  end
  return delete(before)
end

function verbs.testAndDelete(before)
  if before ~= ARGV[7] then
    return unchanged(before)
  end
  return delete(before)
end

function verbs.reset()
  if redis.call('EXISTS', content) == 0 then
    return unchanged(false)
  end
  for i = 7, #ARGV, 2 do
    if redis.call('HGET', content, ARGV[i]) ~= ARGV[i + 1] then
      return unchanged(false)
    end
  end
  local left = redis.call('PTTL', content)
  local revision, life = redis.call('HGET', content, '=rev'), redis.call('HGET', content, '=inc')
  redis.call('DEL', content)
  -- Neither is there if somebody else has filled the hash.
  redis.call('HSET', content, '=rev', revision or '0', '=inc', life or micros_as_text())
  local new_life, new_revision = note('reset', {})
  redis.call('HSET', content, '=reset', new_revision)
  keep_alive(left)
  return {false, false, 1, new_life, new_revision}
end

function verbs.destroy()
  if redis.call('DEL', content) == 0 then
    return unchanged(false)
  end
  local now = micros_as_text()
  publish('destroy', {'0', now})
  return {false, false, 1, now, '0'}
end

local function apply()
  if key == '' then
    return verbs[verb]()
  end
  return verbs[verb](redis.call('HGET', content, key))
end
