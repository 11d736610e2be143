-- For scripts that write keys beside a stream: they expire a minute after the stream, or never if it
-- does not expire.
local function live_beside(stream, side)
  local left = redis.call('PTTL', stream)
  if left > 0 and redis.call('PTTL', side) < left + 60000 then
    redis.call('PEXPIRE', side, left + 60000)
  elseif left == -1 then
    redis.call('PERSIST', side)
  end
end

