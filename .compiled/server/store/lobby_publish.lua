#!lua
-- One line of the lobby. What ran out goes, and so does whatever ends soonest beyond the cap.
--
-- KEYS  1 expiries, 2 summaries
-- ARGV  1 match id, 2 summary, 3 time to live in ms, 4 the most lines kept
-- reply how many lines there are

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[3])), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])

local function drop(members)
  for _, member in ipairs(members) do
    redis.call('ZREM', KEYS[1], member)
    redis.call('HDEL', KEYS[2], member)
  end
end

drop(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now)))
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if over > 0 then
  drop(redis.call('ZRANGE', KEYS[1], 0, over - 1))
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then -- an idle lobby leaves nothing behind
  redis.call('PEXPIREAT', KEYS[1], last[2])
  redis.call('PEXPIREAT', KEYS[2], last[2])
end
return redis.call('ZCARD', KEYS[1])
