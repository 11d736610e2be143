-- For scripts that write what lies beside a stream: it goes a minute after the stream if that goes, and
-- stays if that stays.
local function live_beside(stream, side)
  local left = redis.call('PTTL', stream)
  if left > 0 and redis.call('PTTL', side) < left + 60000 then
    redis.call('PEXPIRE', side, left + 60000)
  elseif left == -1 then
    redis.call('PERSIST', side)
  end
end

