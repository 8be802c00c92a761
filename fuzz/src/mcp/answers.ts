import { mutate, randomJson, randomObject, randomText } from '../json.ts';
import type { Random } from '../random.ts';

/** A request or notification of the Computer. */
export interface Incoming {
  id?: unknown;
  method?: string;
}

const METHODS = ['notifications/tools/list_changed', 'notifications/resources/list_changed', 'notifications/message'];
const REQUESTS = ['ping', 'sampling/createMessage', 'elicitation/create', 'roots/list', 'tools/call', '__proto__'];
const URIS = [
  'window://fuzz/status',
  'window://fuzz/a/b',
  'dpe://fuzz/doc',
  'dpe://fuzz/%E4%B8%96',
  'file:///etc/passwd',
  '',
];

/** The output of a broken MCP server for a message, as texts. */
export function respond(message: Incoming, random: Random): string[] {
  const texts = random.list(random.chance(0.2) ? 3 : 0, () => unasked(random));
  if (message.id === undefined || message.method === undefined || random.chance(0.02)) return texts;
  const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${body(message.method, random)}}`;
  // Without a handshake nothing else would be tried.
  const isGentle = message.method === 'initialize' && random.chance(0.9);
  texts.push(!isGentle && random.chance(0.15) ? mutate(answer, random) : answer);
  if (random.chance(0.02)) texts.push(answer);
  return texts;
}

function body(method: string, random: Random): string {
  if (method !== 'initialize' && random.chance(0.1))
    return `"error":${randomObject(random, ['code', 'message', 'data'])}`;
  return `"result":${result(method, random)}`;
}

function result(method: string, random: Random): string {
  if (method === 'initialize') return initialized(random);
  if (random.chance(0.1)) return randomJson(random);
  if (method === 'tools/list') return page('tools', random, () => tool(random));
  if (method === 'resources/list') return page('resources', random, () => resource(random));
  if (method === 'resources/templates/list') return page('resourceTemplates', random, () => randomJson(random));
  if (method === 'resources/read') return `{"contents":[${random.list(3, () => content(random)).join()}]}`;
  if (method === 'tools/call') {
    const items = random.list(3, () => (random.chance(0.7) ? content(random) : randomJson(random))).join();
    return `{"content":[${items}],"isError":${random.pick(['true', 'false', '1'])},"_meta":${randomJson(random)}}`;
  }
  return '{}';
}

function initialized(random: Random): string {
  const capabilities = '{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}';
  const version = random.pick(['2025-06-18', '2025-03-26', '2024-11-05', '2026-07-28', '1']);
  const info = random.chance(0.8) ? '{"name":"fuzzed","version":"1"}' : randomJson(random);
  return `{"protocolVersion":"${version}","capabilities":${capabilities},"serverInfo":${info}}`;
}

function page(field: string, random: Random, make: () => string): string {
  const cursor = random.chance(0.2)
    ? `,"nextCursor":${random.chance(0.7) ? `"${random.below(99)}"` : randomJson(random)}`
    : '';
  return `{"${field}":[${random.list(6, make).join()}]${cursor}}`;
}

function tool(random: Random): string {
  if (random.chance(0.1)) return randomJson(random);
  const name = random.chance(0.8) ? `"tool-${random.below(9)}"` : randomText(random);
  const schema = random.chance(0.8) ? '{"type":"object"}' : randomJson(random);
  return `{"name":${name},"inputSchema":${schema},${claims(random)}}`;
}

function resource(random: Random): string {
  if (random.chance(0.1)) return randomJson(random);
  return `{"uri":${uri(random)},"name":${randomText(random)},${claims(random)}}`;
}

function content(random: Random): string {
  const text = random.chance(0.8) ? randomText(random) : randomJson(random);
  return `{"type":"text","uri":${uri(random)},"text":${text},${claims(random)}}`;
}

function claims(random: Random): string {
  const meta = random.chance(0.5) ? '{"a2c_tool_meta":{"auto_apply":true}}' : randomJson(random);
  return `"annotations":${randomObject(random, ['priority', 'audience', 'title', 'fullscreen'])},"_meta":${meta}`;
}

function uri(random: Random): string {
  return random.chance(0.8) ? `"${random.pick(URIS)}"` : randomText(random);
}

function unasked(random: Random): string {
  const kind = random.below(4);
  if (kind === 0) return `{"jsonrpc":"2.0","method":"${random.pick(METHODS)}","params":${randomJson(random)}}`;
  if (kind === 1)
    return `{"jsonrpc":"2.0","id":${randomJson(random, 1)},"method":"${random.pick(REQUESTS)}","params":{}}`;
  if (kind === 2) return `{"jsonrpc":"2.0","id":${random.pick(['0', '1', '1073741824', '"0"', 'null'])},"result":{}}`;
  return random.chance(0.5) ? randomJson(random) : random.bytes(random.below(40)).toString('latin1');
}
