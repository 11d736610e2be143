-- Adds an event unless its key was used before. May be repeated: the key itself remembers.
--
-- KEYS: stream, keys (hash of key -> digest and id), deadlines (sorted set, in ms),
--       sinks, readers.
-- ARGV: key, digest of the content, how long the key is remembered in ms, maximum length as in
--       length.lua, time to live in ms or 0, sliding, name, topic, payload.
-- Answer: the id and whether the content is that of the first call.
local stream, keys, deadlines = KEYS[1], KEYS[2], KEYS[3]

local function forget_old(now)
  local old = redis.call('ZRANGEBYSCORE', deadlines, '-inf', now, 'LIMIT', 0, 100)
  for i = 1, #old do
    redis.call('HDEL', keys, old[i])
    redis.call('ZREM', deadlines, old[i])
  end
end

local function add()
  local length = length_max(stream, KEYS[4], KEYS[5], ARGV[4])
  local id = append(adding(stream), ARGV[7], ARGV[8], ARGV[9])
  trim(stream, KEYS[4], length)
  live_for(ARGV[5], ARGV[6], stream, KEYS[4], KEYS[5])
  return id
end

local function apply()
  local now = math.floor(micros() / 1000)
  forget_old(now)
  local deadline = redis.call('ZSCORE', deadlines, ARGV[1])
  if deadline and tonumber(deadline) > now then
    local known = cmsgpack.unpack(redis.call('HGET', keys, ARGV[1]))
    return {known[2], known[1] == ARGV[2] and 1 or 0}
  end
  local id = add()
  local ttl = tonumber(ARGV[3])
  redis.call('HSET', keys, ARGV[1], cmsgpack.pack({ARGV[2], id}))
  redis.call('ZADD', deadlines, now + ttl, ARGV[1])
  for i = 2, 3 do
    if redis.call('PTTL', KEYS[i]) < ttl then
      redis.call('PEXPIRE', KEYS[i], ttl)
    end
  end
  return {id, 1}
end
