-- Adds events to a stream.
--
-- KEYS: stream, sinks, readers, memory of the operation.
-- ARGV: number of the operation, maximum length as in length.lua, time to live in ms or 0, sliding, whether
--       the stream must exist, then name, topic and payload of each event.
-- Answer: the ids; nothing if the stream had to exist and does not.
local stream = KEYS[1]

local function apply()
  if ARGV[5] == '1' and redis.call('EXISTS', stream) == 0 then
    return {}
  end
  local length, command, ids = length_max(stream, KEYS[2], KEYS[3], ARGV[2]), adding(stream), {}
  for i = 6, #ARGV, 3 do
    ids[#ids + 1] = append(command, ARGV[i], ARGV[i + 1], ARGV[i + 2])
  end
  trim(stream, KEYS[2], length)
  live_for(ARGV[3], ARGV[4], stream, KEYS[2], KEYS[3])
  return ids
end
