-- Removes a stream with all that lies beside it.
--
-- KEYS: what to remove, memory of the operation. ARGV: number of the operation.
-- Answer: how many of them there were.
local function apply()
  local removed = 0
  for i = 1, #KEYS - 1 do
    removed = removed + redis.call('DEL', KEYS[i])
  end
  return {removed}
end
