// Each script runs in Redis as one step: no other node sees anything in between. None of them parses what peers sent: of
// a record they read the first four lines only, which are sid, node, client and owner; see `writeRecord`.

const READ_RECORD = `
local function read(record) return string.match(record, '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n') end
`;

/**
 * Takes a place in an office unless another client has it. Keys: office, members of this node, epoch, settling.
 * Arguments: place, record, entry, limit of members, 1 for newcomers and 0 for members that register anew, milliseconds
 * of settling, limit of Computers, 1 to take the place of another client of the same owner. Returns `{'lost', milliseconds}`, `{'settling', milliseconds}`, `{'taken'}`, `{'full'}`,
 * `{'computers'}` when there are too many of them, or `{'entered', record of the stale session}`. A newcomer that finds no epoch begins it: Redis has lost its data, and owners of places
 * come first.
 */
export const ENTER = `${READ_RECORD}
if ARGV[5] == '1' then
  if redis.call('SET', KEYS[3], '1', 'NX') then
    redis.call('SET', KEYS[4], '1', 'PX', ARGV[6])
    return {'lost', ARGV[6]}
  end
  if redis.call('EXISTS', KEYS[4]) == 1 then
    return {'settling', tostring(redis.call('PTTL', KEYS[4]))}
  end
end
local occupant = redis.call('HGET', KEYS[1], ARGV[1])
if occupant then
  local sid, _, client, owner = read(ARGV[2])
  local occupantSid, _, occupantClient, occupantOwner = read(occupant)
  local isOwn = occupantSid == sid or (client ~= '' and occupantClient == client)
  local isOusted = ARGV[8] == '1' and owner ~= '' and occupantOwner == owner
  if not isOwn and not isOusted then return {'taken'} end
elseif redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return {'full'}
elseif ARGV[1] ~= 'agent' and redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'agent') >= tonumber(ARGV[7]) then
  return {'computers'}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[3])
return {'entered', occupant}
`;

/**
 * Gives a place back, unless it has gone to another session. Keys: office, members of this node. Arguments: place, sid,
 * entry.
 */
export const LEAVE = `${READ_RECORD}
local occupant = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[2], ARGV[3])
if not occupant or read(occupant) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
`;

/**
 * Takes a node without a lease out of the nodes. Of several nodes that try, one gets 1; its members are then removed with
 * `CLEAR`. Keys: nodes, departed nodes, its lease. Arguments: the node.
 */
export const RETIRE = `
if redis.call('EXISTS', KEYS[3]) == 1 or redis.call('SREM', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('SADD', KEYS[2], ARGV[1])
return 1
`;

/**
 * Removes some members of a node from one part of the offices: 50,000 at once would block Redis for a second. Returns how
 * many are left, and the records of those that were removed, each to one of several callers. Keys: members of the node.
 * Arguments: the node, prefix of offices, how many.
 */
export const CLEAR = `${READ_RECORD}
local reply = {0}
for _, entry in ipairs(redis.call('SPOP', KEYS[1], ARGV[3])) do
  local place, office = string.match(entry, '^(.-)\\n(.*)$')
  local occupant = place and redis.call('HGET', ARGV[2] .. office, place)
  if occupant and select(2, read(occupant)) == ARGV[1] then
    redis.call('HDEL', ARGV[2] .. office, place)
    table.insert(reply, occupant)
  end
end
reply[1] = redis.call('SCARD', KEYS[1])
return reply
`;

/**
 * Renews a node's lease. Keys: lease, nodes, departed nodes. Arguments: node, milliseconds of the lease, its text. Returns 1
 * when the node was not known.
 */
export const RENEW = `
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
redis.call('SREM', KEYS[3], ARGV[1])
return redis.call('SADD', KEYS[2], ARGV[1])
`;

/**
 * When Redis has lost its data, all nodes get a moment to register their members anew before anybody may join. Keys: epoch,
 * settling. Arguments: milliseconds of settling. Returns 1 when it has.
 */
export const SETTLE = `
if redis.call('SETNX', KEYS[1], '1') == 0 then return 0 end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
return 1
`;
