#!lua
-- A name of a course goes to the round that claims it first.
--
-- KEYS  1 course, 2 names
-- ARGV  1 name, 2 match id
-- reply the id of the round that has the name now, or false where there is no such course

if redis.call('EXISTS', KEYS[1]) == 0 then
  return false
end
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2]) == 1 then
  local ends = redis.call('PEXPIRETIME', KEYS[1])
  if ends > 0 then
    redis.call('PEXPIREAT', KEYS[2], string.format('%.0f', ends))
  end
end
return redis.call('HGET', KEYS[2], ARGV[1])
