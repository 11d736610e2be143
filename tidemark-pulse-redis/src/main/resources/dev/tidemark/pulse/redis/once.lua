
-- The end of every script that must not be carried out twice. The last key remembers the latest
-- operation of one caller: its number, which only grows, and the answer.
local memory = KEYS[#KEYS]
local known = redis.call('GET', memory)
if known then
  local latest = cmsgpack.unpack(known)
  if latest[1] == ARGV[1] then
    return latest[2]
  end
  if tonumber(latest[1]) > tonumber(ARGV[1]) then
    return redis.error_reply('STALE the caller has given up this operation')
  end
end
local answer, nothing_done = apply()
if not nothing_done then
  redis.call('SET', memory, cmsgpack.pack({ARGV[1], answer}), 'PX', 300000)
end
return answer
