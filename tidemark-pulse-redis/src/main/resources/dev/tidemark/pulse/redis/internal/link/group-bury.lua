-- Acknowledges an event in one step with the adding of its dead letter. May be repeated.
--
-- KEYS: those of add-once for the dead letters, then the stream of the event.
-- ARGV: those of add-once, then the group and the id of the event.
-- Answer: that of add-once.
local add_once = apply

local function apply()
  local answer = add_once()
  redis.call('XACK', KEYS[6], ARGV[10], ARGV[11])
  return answer
end
