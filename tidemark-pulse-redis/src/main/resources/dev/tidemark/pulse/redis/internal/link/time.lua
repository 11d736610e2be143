-- The clock of the server: seconds and microseconds.
-- KEYS: any, which in a cluster names the server.
local function apply()
  return redis.call('TIME')
end
