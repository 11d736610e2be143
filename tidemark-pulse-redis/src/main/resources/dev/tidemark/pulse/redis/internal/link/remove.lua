-- Removes events from a stream.
--
-- KEYS: stream, memory of the operation. ARGV: number of the operation, ids.
-- Answer: how many of them there were.
local function apply()
  local removed = 0
  for i = 2, #ARGV do
    removed = removed + redis.call('XDEL', KEYS[1], ARGV[i])
  end
  return {removed}
end
