#!lua flags=no-writes
-- A stretch of a course's table, all of one moment.
--
-- KEYS  1 ranks, 2 rows, 3 spread
-- ARGV  1 the stretch's first row (from 0), 2 how many, 3 a member whose own row is wanted besides (may be empty)
-- reply {how many rows there are, rows better than the stretch's first, {rank, row, ...}, {spread},
--        {rank, row, rows better than it} of the member, or empty}

local function better(rank)
  return redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. rank)
end

local first = tonumber(ARGV[1])
local flat = redis.call('ZRANGE', KEYS[1], first, first + tonumber(ARGV[2]) - 1, 'WITHSCORES')
local rows, own, above = {}, {}, 0
for index = 1, #flat, 2 do
  rows[#rows + 1] = flat[index + 1]
  rows[#rows + 1] = redis.call('HGET', KEYS[2], flat[index])
end
if flat[2] then
  above = better(flat[2])
end
local rank = redis.call('ZSCORE', KEYS[1], ARGV[3])
if rank then
  own = {rank, redis.call('HGET', KEYS[2], ARGV[3]), better(rank)}
end
return {redis.call('ZCARD', KEYS[1]), above, rows, redis.call('HGETALL', KEYS[3]), own}
