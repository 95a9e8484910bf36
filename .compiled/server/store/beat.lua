#!lua
-- The engine's pulse: a gap between two beats is a time in which nobody could append, to be given back.
--
-- KEYS  1 last beat, 2 outages
-- ARGV  1 the longest gap in ms that is none, 2 how many outages are kept
-- reply {now, gap in ms, or -1 for none}

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or now)
redis.call('SET', KEYS[1], string.format('%.0f', math.max(now, last)))
if now - last <= tonumber(ARGV[1]) then
  return {now, -1}
end
redis.call('RPUSH', KEYS[2], string.format('%.0f %.0f', last, now))
redis.call('LTRIM', KEYS[2], -tonumber(ARGV[2]), -1)
return {now, now - last}
