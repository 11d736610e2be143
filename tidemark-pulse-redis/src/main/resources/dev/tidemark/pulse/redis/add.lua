-- Adds events to a stream.
--
-- KEYS: stream, sinks, readers, memory of the operation.
-- ARGV: number of the operation, maximum length as in length.lua, time to live in ms or 0, sliding, whether
--       the stream must exist, then name, topic and payload of each event.
-- Answer: the ids; nothing if the stream had to exist and does not.
local stream = KEYS[1]

-- The command is the same table for all events: they differ from the name on.
local function add_all(length)
  local command = {'XADD', stream, '*', 'n'}
  if length ~= '0' then
    command = {'XADD', stream, 'MAXLEN', '~', length, '*', 'n'}
  end
  local at = #command
  command[at + 2] = 'p'
  local ids = {}
  for i = 6, #ARGV, 3 do
    command[at + 1], command[at + 3] = ARGV[i], ARGV[i + 2]
    local last = at + 3
    if ARGV[i + 1] ~= '' then
      command[at + 4], command[at + 5] = 't', ARGV[i + 1]
      last = at + 5
    end
    ids[#ids + 1] = redis.call(unpack(command, 1, last))
  end
  return ids
end

local function apply()
  if ARGV[5] == '1' and redis.call('EXISTS', stream) == 0 then
    return {}
  end
  local ids = add_all(length_max(stream, KEYS[2], KEYS[3], ARGV[2]))
  if ARGV[3] ~= '0' and (ARGV[4] == '1' or redis.call('PTTL', stream) < 0) then
    redis.call('PEXPIRE', stream, ARGV[3])
    live_beside(stream, KEYS[2])
    live_beside(stream, KEYS[3])
  end
  return ids
end
