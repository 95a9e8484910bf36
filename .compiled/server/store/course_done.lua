#!lua
-- A finished round enters its course's table once, however often it is said, and is counted in each hole's spread.
--
-- KEYS  1 course, 2 ranks, 3 rows, 4 spread
-- ARGV  1 member, 2 its rank (less is better), 3 its row, 4 the most rows kept, then the rank of each hole
-- reply 1 it is new, 0 it was there, -1 there is no such course, -2 the table is full

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 0
end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then
  return -2
end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
for index = 5, #ARGV do
  redis.call('HINCRBY', KEYS[4], (index - 4) .. ':' .. ARGV[index], 1)
end
local ends = redis.call('PEXPIRETIME', KEYS[1])
if ends > 0 then -- they live as long as their course
  for index = 2, #KEYS do
    redis.call('PEXPIREAT', KEYS[index], string.format('%.0f', ends))
  end
end
return 1
