
-- The end of every script that must not be carried out twice. The last key remembers the latest
-- operation of one caller: its number, which only grows, and the answer. The first argument is that
-- number and, behind a colon, how long it is remembered in ms. A script whose answer is large sets
-- answer_of, which makes the answer of what is remembered.
local number, remembered = string.match(ARGV[1], '^(%d+):(%d+)$')
local memory = KEYS[#KEYS]
local known = redis.call('GET', memory)
if known then
  local latest = cmsgpack.unpack(known)
  if latest[1] == number then
    return answer_of(latest[2])
  end
  if tonumber(latest[1]) > tonumber(number) then
    return redis.error_reply('STALE the caller has given up this operation')
  end
end
local answer, nothing_done = apply()
if not nothing_done then
  redis.call('SET', memory, cmsgpack.pack({number, answer}), 'PX', remembered)
end
return answer_of(answer)
