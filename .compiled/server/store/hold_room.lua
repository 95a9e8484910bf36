#!lua
-- A room's code goes to the match that claims it first, and lives as long as that one keeps it.
--
-- KEYS  1 room
-- ARGV  1 match id, 2 time to live in ms
-- reply 1 it is the match's now, 0 it is another's

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
