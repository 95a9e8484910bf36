#!lua
-- The one way that anything enters a match: everything is checked before the first write, and that first
-- write is XADD. Lua does not roll back, so nothing after it may fail; the shebang has the engine refuse the
-- whole script when its memory is full.
--
-- KEYS  1 stream, 2 head, 3 presence
-- ARGV  1 channel (empty: the caller publishes), 2 version decided on, 3 its digest (empty: not known),
--       4 time to live in ms, 5 this append's own name,
--       then for each item: seat, generation, seq, payload   (seat -1: nobody's command)
-- reply {0, first, last, at, digest} appended   {1, index, version, at} already   {2, index, generation} fenced
--       {3, version, at, missing entries, digest} conflict   {4} gone
--
-- The digest is a chain over all entries, so that a decision holds only on the history that it was made on: after
-- a failover that lost entries, the same version may stand for another one.
--
-- The head: v version, t time of the last entry, d digest, and for each seat "generation seq version claim", where claim
-- is the seq with which this generation began. An item that begins a generation (somebody sits down or takes
-- over) has only the version to race by: a rival's item of the same generation and seq is not a duplicate.

local function text(number)
  return string.format('%.0f', number)
end

local function field(entry, name)
  local fields = entry[2]
  for i = 1, #fields, 2 do
    if fields[i] == name then
      return fields[i + 1]
    end
  end
  return false
end

-- A write that changes nothing: WAIT counts only from what its own connection wrote.
local function write_again(head)
  redis.call('HSET', KEYS[2], 't', head[2])
end

local head = redis.call('HMGET', KEYS[2], 'v', 't', 'd')
if not head[1] then
  return {4}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local at = math.max(now, tonumber(head[2])) -- a clock set back must not turn a match's order around
local version, known, ttl, name = tonumber(head[1]), tonumber(ARGV[2]), tonumber(ARGV[4]), ARGV[5]
local digest = head[3] or '' -- matches of older programs have none, and never will
local count = (#ARGV - 5) / 4

local missing = {}
if version > known then
  missing = redis.call('XRANGE', KEYS[1], text(known + 1) .. '-0', '+')
  if missing[1] and field(missing[1], 'a') == name then -- sent again: its reply was lost, its work was not
    write_again(head)
    local after = version == known + count and (head[3] or '') or '' -- else others have gone on, and it is not known
    return {0, known + 1, known + count, tonumber(field(missing[1], 't')), after}
  end
end
local conflict = {3, version, at, missing, digest}

local seats = {}
for index = 0, count - 1 do
  local base = 6 + index * 4
  local seat, generation, seq = ARGV[base], tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2])
  if seat ~= '-1' then
    local is = seats[seat]
    if not is then
      local kept = redis.call('HGET', KEYS[2], seat)
      is = {generation = -1, seq = -1, version = 0, claim = -1}
      if kept then
        local g, q, v, c = string.match(kept, '^(%S+) (%S+) (%S+) (%S+)$')
        is = {generation = tonumber(g), seq = tonumber(q), version = tonumber(v), claim = tonumber(c)}
      end
      seats[seat] = is
    end
    if generation < is.generation then
      return {2, index, is.generation}
    elseif generation > is.generation then
      is.generation, is.claim = generation, seq
    elseif seq <= is.claim then
      if version ~= known then
        return conflict
      end
      return {2, index, is.generation}
    elseif seq <= is.seq then
      -- a version above the head's belongs to this very batch, which was not appended
      local applied = (seq == is.seq and is.version <= version) and is.version or 0
      write_again(head)
      return {1, index, applied, at}
    end
    is.seq, is.version = seq, math.max(version, known) + 1 + index
  end
end
if version ~= known or (ARGV[3] ~= '' and digest ~= '' and ARGV[3] ~= digest) then
  return conflict
end

local said, at_text, last = {}, text(at), ''
local stamp = ' ' .. at_text .. '\n'
for index = 0, count - 1 do
  local base = 6 + index * 4
  local seat, generation, seq, payload = ARGV[base], ARGV[base + 1], ARGV[base + 2], ARGV[base + 3]
  last = text(known + 1 + index)
  local id = redis.call('XADD', KEYS[1], 'NOMKSTREAM', last .. '-0',
    't', at_text, 'p', payload, 's', seat, 'g', generation, 'q', seq, 'a', name)
  if not id then
    return {4} -- a head without its stream; nothing was written
  end
  local item = seat .. ' ' .. generation .. ' ' .. seq .. ' ' .. #payload .. '\n' .. payload
  if digest ~= '' then
    digest = string.sub(redis.sha1hex(digest .. last .. stamp .. item), 1, 16)
  end
  said[index + 1] = item
end
local fields = {'v', last, 't', at_text}
if digest ~= '' then
  fields[5], fields[6] = 'd', digest
end
for seat, is in pairs(seats) do
  fields[#fields + 1] = seat
  fields[#fields + 1] = text(is.generation) .. ' ' .. text(is.seq) .. ' ' .. text(is.version) .. ' ' .. text(is.claim)
end
redis.call('HSET', KEYS[2], unpack(fields))
local left = redis.call('PTTL', KEYS[2])
if left < 0 or math.abs(left - ttl) > ttl / 16 then -- the same moment for all, and not at every move
  for i = 1, #KEYS do
    redis.call('PEXPIREAT', KEYS[i], text(now + ttl))
  end
end
if ARGV[1] ~= '' then -- publication only hurries: its failure loses nothing
  redis.pcall('SPUBLISH', ARGV[1], text(known + 1) .. ' ' .. at_text .. ' ' .. name .. ' ' .. digest .. '\n' .. table.concat(said))
end
return {0, known + 1, known + count, at, digest}
