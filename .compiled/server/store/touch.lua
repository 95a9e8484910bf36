#!lua
-- Presence leases by the engine's clock. A member is one connection of one seat, so that the late end of an
-- old connection cannot touch a newer one.
--
-- KEYS  1 presence, 2 head
-- ARGV  member, lease in ms, member, lease in ms, ...   (0: it ended now)
-- reply 1, or 0 when the match is gone: leases never outlive it

local ends = redis.call('PEXPIRETIME', KEYS[2])
if ends == -2 then
  return 0
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for i = 1, #ARGV, 2 do
  local lease = tonumber(ARGV[i + 1])
  local expiry = now + lease
  if lease <= 0 then -- one that had run out before ended then, not now
    local had = redis.call('ZSCORE', KEYS[1], ARGV[i])
    expiry = math.min(now, tonumber(had or now))
  end
  redis.call('ZADD', KEYS[1], string.format('%.0f', expiry), ARGV[i])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - 3600000))
if ends > 0 then
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', ends))
end
return 1
