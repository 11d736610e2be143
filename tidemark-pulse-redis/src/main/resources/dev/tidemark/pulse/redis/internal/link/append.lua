-- For scripts that add events.

-- The command that adds events to a stream; append fills it in.
local function adding(stream)
  return {'XADD', stream, '*', 'n', '', 'p', '', 't', ''}
end

-- Adds an event with such a command, which can be used again.
local function append(command, name, topic, payload)
  command[5], command[7] = name, payload
  if topic == '' then
    return redis.call(unpack(command, 1, 7))
  end
  command[9] = topic
  return redis.call(unpack(command))
end

-- Lets a stream live for some ms from now on, if it is one that expires, and what lies beside it with it.
local function live_for(ttl, sliding, stream, sinks, readers)
  if ttl ~= '0' and (sliding == '1' or redis.call('PTTL', stream) < 0) then
    redis.call('PEXPIRE', stream, ttl)
    live_beside(stream, sinks)
    live_beside(stream, readers)
  end
end

