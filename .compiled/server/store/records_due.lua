#!lua
-- The matches that it is time to look at. Each goes to one asker, and comes up again later unless it is taken out.
--
-- KEYS  1 matches by when to look
-- ARGV  1 at most so many, 2 look again after so many ms
-- reply their ids

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])
for _, id in ipairs(ids) do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[2])), id)
end
return ids
