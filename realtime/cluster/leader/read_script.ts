import type { RedisScript } from "../redis/redis.ts";

/** The group and its only consumer: every leader goes on with what the one before had not acknowledged. */
export const group = "leader";

/**
 * Reads the log for the leader; a process that was frozen and does not lead any more must not take
 * entries, as its successor would not see them. Arguments: prefix of keys, name of the node, the id after
 * which to read what was read and not acknowledged, or `>` for what is new; how many entries.
 *
 * Replies `not_leading`, or whether there was no group (the data is new), when the data set began, and
 * the entries.
 */
export const readScript: RedisScript = {
  text: `
local prefix, node, from, count = unpack(ARGV)
local leader = redis.call('GET', prefix .. 'leader')
if not leader or string.sub(leader, string.find(leader, ' ', 1, true) + 1) ~= node then
  return 'not_leading'
end
local function read()
  return redis.pcall('XREADGROUP', 'GROUP', '${group}', '${group}', 'COUNT', count,
    'STREAMS', prefix .. 'log', from)
end
local isNew = 0
local reply = read()
if type(reply) == 'table' and reply.err and string.find(reply.err, 'NOGROUP', 1, true) then
  redis.call('XGROUP', 'CREATE', prefix .. 'log', '${group}', '0', 'MKSTREAM')
  isNew = 1
  reply = read()
end
if type(reply) == 'table' and reply.err then return reply end
local began = redis.call('HGET', prefix .. 'data', 'began') or ''
return { isNew, began, reply and reply[1] and reply[1][2] or {} }
`,
};
