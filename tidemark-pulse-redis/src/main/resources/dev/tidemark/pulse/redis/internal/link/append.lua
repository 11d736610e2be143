-- For scripts that add events.

-- The command that adds events to a stream, and how much of it is the same for all of them.
local function adding(stream, length)
  local command = {'XADD', stream, '*', 'n'}
  if length ~= '0' then
    command = {'XADD', stream, 'MAXLEN', '~', length, '*', 'n'}
  end
  local same = #command
  command[same + 2] = 'p'
  return command, same
end

-- Adds an event with such a command, which can be used again.
local function append(command, same, name, topic, payload)
  command[same + 1], command[same + 3] = name, payload
  if topic == '' then
    return redis.call(unpack(command, 1, same + 3))
  end
  command[same + 4], command[same + 5] = 't', topic
  return redis.call(unpack(command, 1, same + 5))
end

-- Lets a stream live for some ms from now on, if it is one that expires, and what lies beside it with it.
local function live_for(ttl, sliding, stream, sinks, readers)
  if ttl ~= '0' and (sliding == '1' or redis.call('PTTL', stream) < 0) then
    redis.call('PEXPIRE', stream, ttl)
    live_beside(stream, sinks)
    live_beside(stream, readers)
  end
end

