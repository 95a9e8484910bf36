#!lua
-- One who waits for a quick match: takes or keeps a place in the queue, and is seated once enough wait. Whoever asks
-- seats all: the offer that it brings is given to those who are taken, so that any of them can make the match.
--
-- KEYS  1 places (by when they run out), 2 tickets, 3 holders (browser or address: ticket), 4 seated (ticket: match),
--       5 when the seated are forgotten
-- ARGV  1 ticket, 2 what it says of the person, 3 lease in ms, 4 most places, 5 seats of a match,
--       6 ms that two wait for a third, 7 offer, 8 ms that a seating is remembered, then what is held: "b:..." "a:..."
-- reply {0, waiting, ms waited} waits   {1, match} seated   {2} somebody waits for that browser or address   {3} full
--
-- A ticket is "since\nheld held\nperson". May be sent twice: who is seated is told so again.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ticket, person, lease, most = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local seats, patience, offer, kept = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8])

local function text(number)
  return string.format('%.0f', number)
end

local function forget(one)
  local line = redis.call('HGET', KEYS[2], one)
  if line then
    for held in string.gmatch(string.match(line, '^%d+\n([^\n]*)\n') or '', '%S+') do
      if redis.call('HGET', KEYS[3], held) == one then
        redis.call('HDEL', KEYS[3], held)
      end
    end
  end
  redis.call('HDEL', KEYS[2], one)
  redis.call('ZREM', KEYS[1], one)
end

for _, one in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', text(now))) do
  forget(one)
end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', text(now))) do
  redis.call('HDEL', KEYS[4], one)
  redis.call('ZREM', KEYS[5], one)
end

local seated = redis.call('HGET', KEYS[4], ticket)
if seated then
  return {1, seated}
end
if not redis.call('ZSCORE', KEYS[1], ticket) then
  if redis.call('ZCARD', KEYS[1]) >= most then
    return {3}
  end
  for i = 9, #ARGV do
    if redis.call('HGET', KEYS[3], ARGV[i]) then
      return {2}
    end
  end
  local held = {}
  for i = 9, #ARGV do
    held[#held + 1] = ARGV[i]
    redis.call('HSET', KEYS[3], ARGV[i], ticket)
  end
  redis.call('HSET', KEYS[2], ticket, text(now) .. '\n' .. table.concat(held, ' ') .. '\n' .. person)
end
redis.call('ZADD', KEYS[1], text(now + lease), ticket)

local waiting = {}
local flat = redis.call('HGETALL', KEYS[2])
for i = 1, #flat, 2 do
  local since, said = string.match(flat[i + 1], '^(%d+)\n[^\n]*\n(.*)$')
  waiting[#waiting + 1] = {ticket = flat[i], since = tonumber(since), person = said}
end
table.sort(waiting, function(one, other)
  if one.since ~= other.since then
    return one.since < other.since
  end
  return one.ticket < other.ticket
end)

local mine, place = 0, 0
for i, one in ipairs(waiting) do
  if one.ticket == ticket then
    mine, place = now - one.since, i
  end
end
-- The second to come starts the patience; those of the first table are seated, and so is whoever asks only with them.
local count = math.min(#waiting, seats)
if count >= seats or (count >= 2 and now - waiting[2].since >= patience) then
  local people = {offer}
  for i = 1, count do
    people[#people + 1] = waiting[i].person
  end
  local match = table.concat(people, '\n')
  for i = 1, count do
    local one = waiting[i].ticket
    forget(one)
    redis.call('HSET', KEYS[4], one, match)
    redis.call('ZADD', KEYS[5], text(now + kept), one)
  end
  if place <= count then
    for i = 1, 5 do
      redis.call('PEXPIRE', KEYS[i], text(kept + lease))
    end
    return {1, match}
  end
end
for i = 1, 5 do -- an idle queue leaves nothing behind
  redis.call('PEXPIRE', KEYS[i], text(kept + lease))
end
return {0, redis.call('ZCARD', KEYS[1]), mine}
