-- For scripts that need the time of the server: microseconds, which a number of Lua holds exactly until
-- the year 2255.
local function micros()
  local now = redis.call('TIME')
  return now[1] * 1000000 + now[2]
end

local function micros_as_text()
  return string.format('%.0f', micros())
end

