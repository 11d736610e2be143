-- Adds events to a stream.
--
-- KEYS: stream, sinks, readers, memory of the operation.
-- ARGV: number of the operation, maximum length as in length.lua, time to live in ms or 0, sliding, whether
--       the stream must exist, then name, topic and payload of each event.
-- Answer: the ids; nothing if the stream had to exist and does not.
local stream = KEYS[1]

local function add(length, name, topic, payload)
  local command = {'XADD', stream}
  if length ~= '0' then
    command[3], command[4], command[5] = 'MAXLEN', '~', length
  end
  local at = #command
  command[at + 1], command[at + 2], command[at + 3] = '*', 'n', name
  command[at + 4], command[at + 5] = 'p', payload
  if topic ~= '' then
    command[at + 6], command[at + 7] = 't', topic
  end
  return redis.call(unpack(command))
end

local function apply()
  if ARGV[5] == '1' and redis.call('EXISTS', stream) == 0 then
    return {}
  end
  local length = length_max(stream, KEYS[2], KEYS[3], ARGV[2])
  local ids = {}
  for i = 6, #ARGV, 3 do
    ids[#ids + 1] = add(length, ARGV[i], ARGV[i + 1], ARGV[i + 2])
  end
  if ARGV[3] ~= '0' and (ARGV[4] == '1' or redis.call('PTTL', stream) < 0) then
    redis.call('PEXPIRE', stream, ARGV[3])
    live_beside(stream, KEYS[2])
    live_beside(stream, KEYS[3])
  end
  return ids
end
