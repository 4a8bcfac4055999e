import { laterEntry, logLength } from "../shared_state.ts";

/**
 * How long the version of a room that is empty stays known, in milliseconds. Strangers can open public
 * channels without end, so it is short; one that is forgotten begins at the time, which is later.
 */
const emptyRoomMs = 60_000;

/** How far the clocks of a server and of one that takes its place may be apart, in milliseconds. */
const clockSkewMs = 1_000;

/**
 * What all scripts begin with. Their first arguments are the prefix of keys, the lease in milliseconds, and the id
 * of this life of Redis; their own follow. Keys, each behind the prefix:
 *
 * - `data`: hash; `began`: when the data set began, which is when the last of the lives of Redis named
 *   in the other fields, `on LIFE`, was seen first. It begins again when no node reached it for a while
 *   before it was settled: they could not say again what it lacks. `base`: when it began first; `seen`: the
 *   time of a late call, until it is settled; `lost`: `1` when it may lack what a node said before
 * - `leases`: sorted set, node → when its lease ends, in milliseconds
 * - `exits`: set, the nodes that end as planned; `totals`: hash, node → what it said with its last heartbeat
 * - `held:NODE`: set of room, line feed, user; `rooms:NODE`: set, the rooms where it has subscribers
 * - `members:ROOM`: hash, user → JSON; `holders:ROOM`: hash, user → number of nodes; `guests:ROOM`: set
 * - `loud:ROOM`, `loudguests:ROOM`: sets, the members that are not quiet
 * - `subscribers:ROOM`: hash, node → number
 * - `about:ROOM`: hash; `v` the version, `a` the app that logs it, `s` whether subscribers occupy it
 * - `cached:ROOM`: when it ends, a space, the text
 * - `cacheEnds:APP`: sorted set, room → when its text ends, in microseconds; `cacheBytes:APP`: hash, room →
 *   bytes of its text; `all` their sum
 * - `occupied:APP`: set of rooms
 * - `leader`: when the leadership ends, a space, the node
 * - `log`: stream
 *
 * Topics, with the prefix too: `room:ROOM`; `nodes` and `node:NUMBER` belong to the bus.
 *
 * @param clock a Lua expression: the time in microseconds since 1970.
 */
export function rulesWith(clock: string): string {
  return `
local prefix, leaseMs, life = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local micros = ${clock}
local now = math.floor(micros / 1000)

-- Lua writes large numbers with an exponent.
local function text(number) return string.format('%.0f', number) end

local function key(kind, name) return prefix .. kind .. ':' .. name end

local began, knownLife, lost, seen, base = unpack(redis.call(
  'HMGET', prefix .. 'data', 'began', 'on ' .. life, 'lost', 'seen', 'base'
))
-- Without a node for so long, a data set that is not settled begins again; that one is there is noted so often.
local absentMs, notedEveryMs = leaseMs / 3, leaseMs / 30
local isNewLife = not began or not knownLife
local idleMs = seen and now - tonumber(seen) or 0
if isNewLife or idleMs > absentMs then
  if isNewLife and redis.call('HLEN', prefix .. 'data') > 100 then
    redis.call('DEL', prefix .. 'data')
  end
  lost = began and '1' or '0'
  base = isNewLife and text(now) or base or began
  began = text(now)
  redis.call(
    'HSET', prefix .. 'data', 'began', began, 'on ' .. life, '1', 'lost', lost,
    'seen', began, 'base', base
  )
elseif seen and now - tonumber(began) >= leaseMs then
  redis.call('HDEL', prefix .. 'data', 'seen')
elseif idleMs > notedEveryMs then
  redis.call('HSET', prefix .. 'data', 'seen', text(now))
end
local beganAt = tonumber(began)
local isSettled = now - beganAt >= leaseMs
-- Nodes may have users whom they have not registered again: no one leaves who may be one of them.
local isRecovering = not isSettled and lost == '1'

local function isValid(node)
  local till = redis.call('ZSCORE', prefix .. 'leases', node)
  return till and tonumber(till) > now
end

-- Renews a lease, unless it is about to end as planned.
local function renewed(node, totals)
  if redis.call('SISMEMBER', prefix .. 'exits', node) == 0 then
    redis.call('ZADD', prefix .. 'leases', text(now + leaseMs), node)
  end
  redis.call('HSET', prefix .. 'totals', node, totals)
  local expired = redis.call('ZRANGEBYSCORE', prefix .. 'leases', '-inf', text(now))
  local exited = {}
  for _, node in ipairs(expired) do
    if redis.call('SISMEMBER', prefix .. 'exits', node) == 1 then exited[#exited + 1] = node end
  end
  local valid = redis.call('ZRANGEBYSCORE', prefix .. 'leases', '(' .. text(now), '+inf')
  return { now, beganAt, valid, expired, exited }
end

local function log(name, app, room, user, reason, member)
  local channel = string.sub(room, string.find(room, ':', 1, true) + 1)
  local entry = cjson.encode({
    name = name, app = app, channel = channel, user = user, reason = reason, at = now
  })
  local version = name == '${laterEntry.name}' and '${laterEntry.version}' or '1'
  local fields = { 'v', version, 'e', entry }
  if member then
    fields[5], fields[6] = 'm', member
  end
  redis.call('XADD', prefix .. 'log', 'MAXLEN', '~', '${logLength}', '*', unpack(fields))
end

local function send(room, header, body)
  redis.call('PUBLISH', key('room', room), body and header .. '\\n' .. body or header)
end

-- A data set does not know all that the previous one sent: its versions are higher, even where its
-- server's clock is ${clockSkewMs / 1_000} s behind.
local function versionAfter(known)
  return math.max(tonumber(known or '0'), (tonumber(base or began) + ${clockSkewMs}) * 1000)
end

local function sendChange(room, kind, user, reason, body)
  local last = versionAfter(redis.call('HGET', key('about', room), 'v'))
  local version = math.max(last + 1, micros)
  redis.call('HSET', key('about', room), 'v', text(version))
  local header = '{"v":1,"t":"' .. kind .. '","p":' .. text(last) .. ',"n":' .. text(version)
    .. ',"u":' .. cjson.encode(user)
  if reason then header = header .. ',"r":' .. cjson.encode(reason) end
  send(room, header .. '}', body)
end

local function subscribersOf(room)
  local sum = 0
  for _, count in ipairs(redis.call('HVALS', key('subscribers', room))) do
    sum = sum + tonumber(count)
  end
  return sum
end

-- For how many milliseconds more a room keeps its text, and the text.
local function cachedOf(room)
  local cached = redis.call('GET', key('cached', room))
  if not cached then return 0, '' end
  local space = string.find(cached, ' ', 1, true)
  return tonumber(string.sub(cached, 1, space - 1)) - now, string.sub(cached, space + 1)
end

-- Follows each change of a room's members or subscribers.
local function updateOccupied(room, isResync)
  local hasMembers = redis.call('EXISTS', key('members', room)) == 1
  local hasSubscribers = redis.call('EXISTS', key('subscribers', room)) == 1
  local about = redis.call('HMGET', key('about', room), 'a', 's')
  local app = about[1]
  if app then
    if hasMembers or (hasSubscribers and about[2]) then
      local isNew = redis.call('SADD', key('occupied', app), room) == 1
      if isNew and not isResync then log('channel_occupied', app, room) end
    elseif redis.call('SREM', key('occupied', app), room) == 1 then
      log('channel_vacated', app, room)
    end
  end
  if not hasMembers then redis.call('DEL', key('loud', room), key('loudguests', room)) end
  if hasMembers or hasSubscribers then
    redis.call('PERSIST', key('about', room))
  else
    redis.call('PEXPIRE', key('about', room), ${emptyRoomMs})
  end
end

-- Ends one claim, which the caller has taken from the node's set.
local function dropClaim(room, user, app, reason)
  if redis.call('HINCRBY', key('holders', room), user, -1) > 0 then return end
  local member = redis.call('HGET', key('members', room), user)
  redis.call('HDEL', key('holders', room), user)
  redis.call('HDEL', key('members', room), user)
  for _, kind in ipairs({ 'guests', 'loud', 'loudguests' }) do
    redis.call('SREM', key(kind, room), user)
  end
  sendChange(room, 'removed', user, reason)
  if app then log('member_removed', app, room, user, reason, member) end
  updateOccupied(room)
end

-- What the same process registered under former leases is out of date.
local function forgetFormer(node, room)
  local process, lease = string.match(node, '^(%d+)%.(%d+)$')
  if not process or lease == '1' then return end
  for _, other in ipairs(redis.call('HKEYS', key('subscribers', room))) do
    local otherProcess, otherLease = string.match(other, '^(%d+)%.(%d+)$')
    if otherProcess == process and tonumber(otherLease) < tonumber(lease) then
      redis.call('HDEL', key('subscribers', room), other)
      redis.call('SREM', key('rooms', other), room)
    end
  end
end

local function setSubscribers(node, room, count, isResync)
  local before = subscribersOf(room)
  if count > 0 then
    forgetFormer(node, room)
    redis.call('HSET', key('subscribers', room), node, text(count))
    redis.call('SADD', key('rooms', node), room)
  else
    redis.call('HDEL', key('subscribers', room), node)
    redis.call('SREM', key('rooms', node), room)
  end
  updateOccupied(room, isResync)
  local after = subscribersOf(room)
  if after ~= before then
    -- One server with subscribers reports the number.
    local reporter = count > 0 and node
    for _, other in ipairs(reporter and {} or redis.call('HKEYS', key('subscribers', room))) do
      if not reporter or other < reporter then reporter = other end
    end
    local by = reporter and ',"b":' .. cjson.encode(reporter) or ''
    send(room, '{"v":1,"t":"subscribers","c":' .. text(after) .. by .. '}')
  end
  return after
end
`;
}
