import { mutate, randomJson, randomObject } from '../json.ts';
import type { Random } from '../random.ts';

const EVENTS = [
  ...['client:tool_call', 'client:get_tools', 'client:get_config', 'client:get_desktop', 'client:get_dpe', 'client:x'],
  ...['server:join_office', 'server:leave_office', 'server:list_room', 'server:update_config', 'server:update_skills'],
  ...[
    'server:tool_call_cancel',
    'server:unreadable',
    'notify:enter_office',
    'disconnect',
    'connect_error',
    'x',
    '__proto__',
  ],
];
const FIELDS = ['agent', 'computer', 'req_id', 'office_id', 'role', 'name', 'timeout', 'tool_name', 'params', 'uri'];
const NAMESPACES = ['/smcp', '/smcp', '/smcp', '/smcp', '/', '/other', '/smcp?x=1', '/__proto__', ''];
const IDS = ['', '0', '1', '7', '1073741824', '1073741825', '999999999999999', '99999999999999999999', '007', '-1'];

/** The names and roles of clients; few, so that they meet. */
const OFFICES = ['fuzz-0', 'fuzz-1'];
const NAMES = ['f0', 'f1', 'a1', 'c1'];

/** A packet of Socket.IO, as text behind the `4` of Engine.IO. Most are well-formed. */
export function randomPacket(random: Random): string {
  const packet = wellFormed(random);
  return random.chance(0.2) ? mutate(packet, random) : packet;
}

/** A packet of Engine.IO. */
export function randomEnginePacket(random: Random): string {
  if (random.chance(0.9)) return `4${randomPacket(random)}`;
  return random.pick(['0', '1', '2', '2probe', '3', '3probe', '5', '6', '7', 'b', 'bAAEC', '', '\ufeff', '4']);
}

/** The answer to a request that was received. */
export function randomAnswer(id: string, random: Random): string {
  const answer = `3/smcp,${id}[${random.list(2, () => randomJson(random)).join()}]`;
  return random.chance(0.2) ? mutate(answer, random) : answer;
}

export function joinPacket(random: Random): string {
  const role = random.pick(['agent', 'computer']);
  const join = { role, name: random.pick(NAMES), office_id: random.pick(OFFICES) };
  return `2/smcp,${random.below(50)}["server:join_office",${JSON.stringify(join)}]`;
}

function wellFormed(random: Random): string {
  const namespace = random.pick(NAMESPACES);
  const head = namespace === '' ? '' : `${namespace},`;
  const kind = random.below(20);
  if (kind < 3)
    return `0${head}${random.chance(0.5) ? '' : randomObject(random, ['token', 'x-api-key', 'instance_id'])}`;
  if (kind === 3) return `1${head}`;
  if (kind < 6) return joinPacket(random);
  if (kind < 10) return `2${head}${random.pick(IDS)}${relayed(random)}`;
  if (kind < 15) return `2${head}${random.pick(IDS)}[${eventName(random)},${randomObject(random, FIELDS)}]`;
  if (kind === 15) return `${random.pick(['2', '3'])}${head}${random.pick(IDS)}${many(random)}`;
  if (kind < 18) return `3${head}${random.pick(IDS)}[${random.list(3, () => randomJson(random)).join()}]`;
  if (kind === 18) return `4${head}${randomJson(random)}`;
  return `${random.pick(['5', '6'])}${random.below(4)}-${head}[${eventName(random)},{"_placeholder":true,"num":0}]`;
}

/** An event or an answer with many arguments. */
function many(random: Random): string {
  const start = random.chance(0.5) ? eventName(random) : randomJson(random);
  return `[${start},${Array(random.pick([99, 100, 2000, 200_000]))
    .fill('0')
    .join()}]`;
}

/** A request that is routed if its sender is the Agent of an office. */
function relayed(random: Random): string {
  const route = `"agent":"${random.pick(NAMES)}","computer":"${random.pick(NAMES)}","req_id":"r${random.below(9)}"`;
  return `["${random.pick(EVENTS.slice(0, 6))}",{${route},"timeout":${random.pick(['1', '0.1', '1e999'])},"params":${randomJson(random)}}]`;
}

function eventName(random: Random): string {
  if (random.chance(0.05)) return randomJson(random, 1);
  return JSON.stringify(random.chance(0.1) ? mutate(random.pick(EVENTS), random) : random.pick(EVENTS));
}
