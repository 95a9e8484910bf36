#!lua
-- Somebody waits no longer. Who is seated already stays so.
--
-- KEYS  1 places, 2 tickets, 3 holders
-- ARGV  1 ticket
-- reply 1, or 0 for one that did not wait

local line = redis.call('HGET', KEYS[2], ARGV[1])
if not line then
  return 0
end
for held in string.gmatch(string.match(line, '^%d+\n([^\n]*)\n') or '', '%S+') do
  if redis.call('HGET', KEYS[3], held) == ARGV[1] then
    redis.call('HDEL', KEYS[3], held)
  end
end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
