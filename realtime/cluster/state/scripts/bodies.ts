import { droppedAtATime } from "../shared_state.ts";

/** The members of a larger room are read in steps: of 200, in less than a millisecond. */
export const mostReadAtOnce = 200;

/** What each script does after the rules; the comment names its own arguments, from the fourth on. */
export const bodies = {
  // node, totals
  begin: `
local node = ARGV[4]
local till = redis.call('ZSCORE', prefix .. 'leases', node)
if till and tonumber(till) <= now
  and redis.call('EXISTS', key('held', node), key('rooms', node)) > 0 then
  return redis.error_reply('LOST the lease of this node is over')
end
-- Not its first name, N.1: it claimed users under one of which these data know nothing.
if not isSettled and not string.find(node, '%.1$') then
  redis.call('HSET', prefix .. 'data', 'lost', '1')
end
return renewed(node, ARGV[5])
`,
  // node, totals
  heartbeat: `
local node = ARGV[4]
if not isValid(node) then return 'lost' end
return renewed(node, ARGV[5])
`,
  // node, milliseconds
  exit: `
local node = ARGV[4]
if not isValid(node) then return 0 end
local till = tonumber(redis.call('ZSCORE', prefix .. 'leases', node))
redis.call('ZADD', prefix .. 'leases', text(math.min(till, now + tonumber(ARGV[5]))), node)
redis.call('SADD', prefix .. 'exits', node)
return 1
`,
  // node
  drop: `
local node = ARGV[4]
if isValid(node) or isRecovering then return 0 end
local isExit = redis.call('SISMEMBER', prefix .. 'exits', node) == 1
local reason = isExit and 'server_restart' or 'server_lost'
for _, claimed in ipairs(redis.call('SPOP', key('held', node), ${droppedAtATime})) do
  local feed = string.find(claimed, '\\n', 1, true)
  local room = string.sub(claimed, 1, feed - 1)
  local app = redis.call('HGET', key('about', room), 'a')
  dropClaim(room, string.sub(claimed, feed + 1), app, reason)
end
if redis.call('EXISTS', key('held', node)) == 1 then return 1 end
for _, room in ipairs(redis.call('SPOP', key('rooms', node), ${droppedAtATime})) do
  setSubscribers(node, room, 0)
end
if redis.call('EXISTS', key('rooms', node)) == 1 then return 1 end
redis.call('ZREM', prefix .. 'leases', node)
redis.call('SREM', prefix .. 'exits', node)
redis.call('HDEL', prefix .. 'totals', node)
return 0
`,
  // node, room, user, member, whether a guest, limit, app or empty, whether repeated, limit of full members or empty
  claim: `
local node, room, user, member, isGuest, max, app = unpack(ARGV, 4, 10)
if not isValid(node) then return 'lost' end
local claimed = room .. '\\n' .. user
local maxFull = ARGV[12]
local full = key(isGuest == '1' and 'loudguests' or 'loud', room)
if redis.call('SISMEMBER', key('held', node), claimed) == 1 then
  if maxFull ~= '' then redis.call('SADD', full, user) end
  return 'already'
end
local isNew = redis.call('HEXISTS', key('members', room), user) == 0
local isResync = ARGV[11] == '1' and not isSettled
if isNew and tonumber(max) > 0 and not isResync then
  local taken = redis.call('HLEN', key('members', room))
  -- Guests take no room from users.
  if isGuest ~= '1' then taken = taken - redis.call('SCARD', key('guests', room)) end
  if taken >= tonumber(max) then return 'full' end
end
local isNewlyFull = maxFull ~= '' and redis.call('SISMEMBER', full, user) == 0
if isNewlyFull and tonumber(maxFull) > 0 and not isResync then
  local taken = redis.call('SCARD', key('loud', room))
  if isGuest == '1' then taken = taken + redis.call('SCARD', full) end
  if taken >= tonumber(maxFull) then return 'full_members' end
end
if isNewlyFull then redis.call('SADD', full, user) end
redis.call('SADD', key('held', node), claimed)
redis.call('HINCRBY', key('holders', room), user, 1)
if app ~= '' then redis.call('HSET', key('about', room), 'a', app) end
if isNew then
  redis.call('HSET', key('members', room), user, member)
  if isGuest == '1' then redis.call('SADD', key('guests', room), user) end
  sendChange(room, 'added', user, nil, member)
  updateOccupied(room, isResync)
  if app ~= '' and not isResync then log('member_added', app, room, user, nil, member) end
end
return 'held'
`,
  // node, room, user, app or empty, reason, deadline
  release: `
local node, room, user, app, reason, deadline = unpack(ARGV, 4, 9)
if not isValid(node) then return 'lost' end
if now > tonumber(deadline) or isRecovering then return 'late' end
if redis.call('SREM', key('held', node), room .. '\\n' .. user) == 0 then return 'not_held' end
dropClaim(room, user, app ~= '' and app, reason)
return 'released'
`,
  // room, user, member as it was read or empty, member, app or empty
  update: `
local room, user, before, member, app = unpack(ARGV, 4, 8)
local known = redis.call('HGET', key('members', room), user)
if not known then return isRecovering and 'late' or 'absent' end
if known ~= before then return 'changed' end
redis.call('HSET', key('members', room), user, member)
sendChange(room, 'updated', user, nil, member)
if app ~= '' then log('member_updated', app, room, user, nil, member) end
return 'updated'
`,
  // room
  read: `
local room = ARGV[4]
local known = redis.call('HGET', key('about', room), 'v')
local version = versionAfter(known or micros)
if not known then
  redis.call('HSET', key('about', room), 'v', text(version))
  updateOccupied(room)
end
local ttl, cachedText = cachedOf(room)
local isLarge = redis.call('HLEN', key('members', room)) > ${mostReadAtOnce}
return {
  text(version), isSettled and 1 or 0, ttl, cachedText, subscribersOf(room), beganAt,
  isLarge and 1 or 0, isLarge and {} or redis.call('HGETALL', key('members', room))
}
`,
  // room
  cached: `
return { cachedOf(ARGV[4]) }
`,
  // node, room, number, app or empty, whether repeated
  subscribers: `
local node, room, count, app = unpack(ARGV, 4, 7)
if not isValid(node) then return 'lost' end
if app ~= '' then redis.call('HSET', key('about', room), 'a', app, 's', '1') end
return setSubscribers(node, room, tonumber(count), ARGV[8] == '1' and not isSettled)
`,
  // room, message, text to keep, milliseconds, bytes that the app's rooms may keep
  publish: `
local room, message, kept, ttl, max = unpack(ARGV, 4, 8)
local app = string.sub(room, 1, string.find(room, ':', 1, true) - 1)
local ends, bytes = key('cacheEnds', app), key('cacheBytes', app)
local function drop(one)
  redis.call('DEL', key('cached', one))
  redis.call('ZREM', ends, one)
  local size = tonumber(redis.call('HGET', bytes, one) or '0')
  redis.call('HDEL', bytes, one)
  return redis.call('HINCRBY', bytes, 'all', text(0 - size))
end
drop(room)
-- Redis may have evicted one of the two keys.
if redis.call('ZCARD', ends) + 1 ~= redis.call('HLEN', bytes) then
  redis.call('DEL', ends, bytes)
end
local ended = redis.call('ZRANGEBYSCORE', ends, '-inf', text(micros), 'LIMIT', 0, ${droppedAtATime})
for _, one in ipairs(ended) do drop(one) end
redis.call('SET', key('cached', room), text(now + tonumber(ttl)) .. ' ' .. kept, 'PX', ttl)
redis.call('ZADD', ends, text(micros + tonumber(ttl) * 1000), room)
redis.call('HSET', bytes, room, #kept)
local total = redis.call('HINCRBY', bytes, 'all', #kept)
while total > tonumber(max) do
  total = drop(redis.call('ZRANGE', ends, 0, 0)[1])
end
redis.call('PEXPIRE', ends, ttl)
redis.call('PEXPIRE', bytes, ttl)
redis.call('PUBLISH', key('room', room), message)
return 1
`,
  // rooms
  sizes: `
local sizes = {}
for index = 4, #ARGV do
  sizes[#sizes + 1] = redis.call('HLEN', key('members', ARGV[index]))
  sizes[#sizes + 1] = subscribersOf(ARGV[index])
end
return sizes
`,
  totals: `
local totals = {}
for _, node in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', '(' .. text(now), '+inf')) do
  totals[#totals + 1] = node
  totals[#totals + 1] = redis.call('HGET', prefix .. 'totals', node)
end
return totals
`,
  // node, milliseconds
  lead: `
local node, ms = ARGV[4], ARGV[5]
if not isValid(node) then return 0 end
local leader = redis.call('GET', prefix .. 'leader')
if leader then
  local space = string.find(leader, ' ', 1, true)
  local till = tonumber(string.sub(leader, 1, space - 1))
  if till > now and string.sub(leader, space + 1) ~= node then return 0 end
end
redis.call('SET', prefix .. 'leader', text(now + tonumber(ms)) .. ' ' .. node, 'PX', ms)
return 1
`,
  // node
  resign: `
local leader = redis.call('GET', prefix .. 'leader')
if leader and string.sub(leader, string.find(leader, ' ', 1, true) + 1) == ARGV[4] then
  redis.call('DEL', prefix .. 'leader')
end
return 1
`,
} as const;
