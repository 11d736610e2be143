-- The whole map, unless the caller has it already.
--
-- KEYS: content. ARGV: incarnation and revision that the caller has; both empty for none.
-- Answer: milliseconds to live or less than 0, then, if the caller's is another, the time in
--         microseconds and the fields of the hash with their values.
local function apply()
  local have = redis.call('HMGET', KEYS[1], '=inc', '=rev')
  local left = redis.call('PTTL', KEYS[1])
  if (have[1] or '') == ARGV[1] and (have[2] or '') == ARGV[2] then
    return {left}
  end
  return {left, micros_as_text(), redis.call('HGETALL', KEYS[1])}
end
