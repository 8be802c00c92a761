import { createHash } from 'node:crypto';
import { CLEAR, ENTER, LEAVE, RENEW, RETIRE, SETTLE } from '../cluster/scripts.ts';
import type { Reply } from './resp.ts';
import type { Store } from './store.ts';

/** A script with its keys and arguments. */
type Script = (store: Store, keys: readonly string[], args: readonly string[]) => Reply;

/** The scripts of the cluster, by the sums under which Redis runs them. Each does what its Lua does. */
export const scripts: ReadonlyMap<string, Script> = new Map([
  [sumOf(ENTER), enter],
  [sumOf(LEAVE), leave],
  [sumOf(RETIRE), retire],
  [sumOf(CLEAR), clear],
  [sumOf(RENEW), renew],
  [sumOf(SETTLE), settle],
]);

export function sumOf(lua: string): string {
  return createHash('sha1').update(lua).digest('hex');
}

function enter(store: Store, keys: readonly string[], args: readonly string[]): Reply {
  const [office = '', members = '', epoch = '', settling = ''] = keys;
  const [place = '', record = '', entry = '', maxMembers, isNewcomer, settlingMs = '', maxComputers, ousts] = args;
  if (isNewcomer === '1') {
    if (store.text(epoch) === undefined) {
      store.setText(epoch, '1');
      store.setText(settling, '1', Number(settlingMs));
      return ['lost', settlingMs];
    }
    if (store.text(settling) !== undefined) return ['settling', String(Math.ceil(store.lifetime(settling)))];
  }
  const hash = store.hash(office);
  const occupant = hash.get(place);
  if (occupant !== undefined) {
    const [newcomer, other] = [readRecord(record), readRecord(occupant)];
    const isOwn = other.sid === newcomer.sid || (newcomer.client !== '' && other.client === newcomer.client);
    const isOusted = ousts === '1' && newcomer.owner !== '' && other.owner === newcomer.owner;
    if (!isOwn && !isOusted) return ['taken'];
  } else if (hash.size >= Number(maxMembers)) {
    return ['full'];
  } else if (place !== 'agent' && hash.size - Number(hash.has('agent')) >= Number(maxComputers)) {
    return ['computers'];
  }
  store.setField(office, place, record);
  store.add(members, entry);
  return occupant === undefined ? ['entered'] : ['entered', occupant];
}

function leave(store: Store, [office = '', members = '']: readonly string[], args: readonly string[]): Reply {
  const [place = '', sid = '', entry = ''] = args;
  store.remove(members, entry);
  const occupant = store.hash(office).get(place);
  if (occupant === undefined || readRecord(occupant).sid !== sid) return 0;
  store.deleteField(office, place);
  return 1;
}

function retire(
  store: Store,
  [nodes = '', departed = '', lease = '']: readonly string[],
  [node = '']: readonly string[],
): Reply {
  if (store.text(lease) !== undefined || !store.remove(nodes, node)) return 0;
  store.add(departed, node);
  return 1;
}

function clear(store: Store, [members = '']: readonly string[], args: readonly string[]): Reply {
  const [node = '', offices = '', count] = args;
  const gone: string[] = [];
  for (const entry of [...store.set(members)].slice(0, Number(count))) {
    store.remove(members, entry);
    const [place = '', office = ''] = entry.split('\n');
    const occupant = store.hash(offices + office).get(place);
    if (occupant === undefined || readRecord(occupant).node !== node) continue;
    store.deleteField(offices + office, place);
    gone.push(occupant);
  }
  return [store.set(members).size, ...gone];
}

function renew(store: Store, keys: readonly string[], [node = '', leaseMs, text = '']: readonly string[]): Reply {
  const [lease = '', nodes = '', departed = ''] = keys;
  store.setText(lease, text, Number(leaseMs));
  store.remove(departed, node);
  return Number(store.add(nodes, node));
}

function settle(store: Store, [epoch = '', settling = '']: readonly string[], [settlingMs]: readonly string[]): Reply {
  if (store.text(epoch) !== undefined) return 0;
  store.setText(epoch, '1');
  store.setText(settling, '1', Number(settlingMs));
  return 1;
}

/** The first four lines of a record; see `writeRecord`. */
function readRecord(record: string): { sid: string; node: string; client: string; owner: string } {
  const [sid = '', node = '', client = '', owner = ''] = record.split('\n', 4);
  return { sid, node, client, owner };
}
