// Each script runs in Redis as one step: no other node sees anything in between.

/**
 * Takes a place in an office unless somebody else has it. Keys: office, members of this node, settling. Arguments:
 * place, record, entry, limit of members, 1 for newcomers and 0 for members that register anew. Returns `{'settling',
 * milliseconds}`, `{'taken'}`, `{'full'}`, or `{'entered', record of the stale session}`.
 */
export const ENTER = `
if ARGV[5] == '1' and redis.call('EXISTS', KEYS[3]) == 1 then
  return {'settling', tostring(redis.call('PTTL', KEYS[3]))}
end
local newcomer = cjson.decode(ARGV[2])
local occupant = redis.call('HGET', KEYS[1], ARGV[1])
if occupant then
  local member = cjson.decode(occupant)
  local same = newcomer.instance and member.instance == newcomer.instance
    and member.identity == newcomer.identity and member.name == newcomer.name
  if not same and member.sid ~= newcomer.sid then return {'taken'} end
elseif redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return {'full'}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[3])
return {'entered', occupant}
`;

/** Gives a place back, unless it has gone to another session. Keys as above. Arguments: place, sid, entry. */
export const LEAVE = `
local occupant = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[2], ARGV[3])
if not occupant or cjson.decode(occupant).sid ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
`;

/**
 * Removes a node and all its members. Of several nodes that try, one gets the list of who is gone. Keys: nodes, members
 * of the dead node, its lease. Arguments: the node, prefix of offices.
 */
export const SWEEP = `
if redis.call('EXISTS', KEYS[3]) == 1 or redis.call('SREM', KEYS[1], ARGV[1]) == 0 then return {} end
local gone = {}
for _, entry in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local place, office = string.match(entry, '^(.-)\\n(.*)$')
  local occupant = redis.call('HGET', ARGV[2] .. office, place)
  if occupant and cjson.decode(occupant).node == ARGV[1] then
    redis.call('HDEL', ARGV[2] .. office, place)
    table.insert(gone, occupant)
  end
end
redis.call('DEL', KEYS[2])
return gone
`;

/**
 * Renews a node's lease. When Redis remembers nothing, all nodes get a moment to register their members anew before
 * anybody may join. Keys: lease, nodes, epoch, settling. Arguments: node, milliseconds of the lease and of settling.
 * Returns 1 when the node was not known.
 */
export const RENEW = `
redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
if redis.call('SETNX', KEYS[3], '1') == 1 then redis.call('SET', KEYS[4], '1', 'PX', ARGV[3]) end
return redis.call('SADD', KEYS[2], ARGV[1])
`;
