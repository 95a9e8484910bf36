#!lua flags=no-writes
-- The lines of the lobby that have not run out, the freshest first.
--
-- KEYS  1 expiries, 2 summaries
-- ARGV  1 at most so many
-- reply the summaries

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ids = redis.call('ZREVRANGEBYSCORE', KEYS[1], '+inf', string.format('(%.0f', now), 'LIMIT', 0, ARGV[1])
local lines = {}
for _, id in ipairs(ids) do
  local line = redis.call('HGET', KEYS[2], id)
  if line then
    lines[#lines + 1] = line
  end
end
return lines
