#!lua
-- The only script that makes a match's keys. Made again, it changes nothing.
--
-- KEYS  1 stream, 2 head
-- ARGV  1 payload of the first entry, 2 time to live in ms
-- reply {1, at} made, {0, now} it was there

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then
  return {0, now}
end
local at = string.format('%.0f', now)
local ends = string.format('%.0f', now + tonumber(ARGV[2]))
redis.call('XADD', KEYS[1], '1-0', 't', at, 'p', ARGV[1], 's', '-1', 'g', '0', 'q', '0', 'a', '')
local digest = redis.sha1hex('1 ' .. at .. '\n-1 0 0 ' .. #ARGV[1] .. '\n' .. ARGV[1])
redis.call('HSET', KEYS[2], 'v', '1', 't', at, 'd', string.sub(digest, 1, 16))
redis.call('PEXPIREAT', KEYS[1], ends)
redis.call('PEXPIREAT', KEYS[2], ends)
return {1, now}
