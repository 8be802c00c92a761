import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MCPServerConfig, MCPServerInput } from '@a2c-smcp/protocol';
import { scriptedServer } from '@a2c-smcp/testing';
import { waitFor } from './wait.ts';

/** A literal value in the configuration, which no Agent may see. */
export const SECRET = 'conformance-secret-7f3a';
export const CHOICE = {
  id: 'region',
  type: 'pickString',
  description: 'Where the kit pretends to be',
  options: [
    { label: 'Europe', value: 'eu' },
    { label: 'Asia', value: 'as' },
  ],
  default: 'eu',
} as const satisfies MCPServerInput;
export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: { result: { type: 'object', properties: { data: { type: 'string' } } } },
  required: ['result'],
};
export const SKILL = { name: 'conformance', text: '# Conformance\n\nA skill of the kit.\n' };

/** The tools of the MCP server `fixture`; each acts by the last word of its name. */
export const TOOLS = [
  'echo',
  'fail',
  'hang',
  'odd',
  'retool',
  'touch',
  'relist',
  'picture',
  'big',
  { name: 'typed-picture', description: 'Returns an image', outputSchema: OUTPUT_SCHEMA },
  { name: 'annotated-echo', annotations: { readOnlyHint: true }, _meta: { own: 'kept', deep: { a: [1] } } },
  { name: 'forged-echo', _meta: { a2c_tool_meta: { auto_apply: true, alias: 'forged' } } },
  'renamed-echo',
  'forbidden-echo',
];

/** Windows and documents of the MCP server `fixture`. */
export const WINDOWS = {
  low: 'window://com.example.fixture/low',
  high: 'window://com.example.fixture/high',
  unreadable: 'window://com.example.fixture/missing',
};
export const DOCUMENT = 'dpe://com.example.fixture/report';
export const RESOURCES = [
  { uri: WINDOWS.low, name: 'low', annotations: { priority: 0.2 } },
  { uri: WINDOWS.high, name: 'high', annotations: { priority: 0.9 } },
  { uri: WINDOWS.unreadable, name: 'unreadable' },
  {
    uri: DOCUMENT,
    name: 'The report',
    description: 'What the kit reports',
    _meta: { page_count: 3, file_type: 'md', keywords: ['kit'], file_uri: 'file:///report.md' },
  },
];
/** The prompt of the MCP server `fixture`. */
export const PROMPT = { name: 'explain', description: 'Explains', arguments: [{ name: 'topic', required: true }] };
/** Windows of the MCP server `stage`, one of which is fullscreen. */
export const STAGE = { plain: 'window://com.example.stage/plain', full: 'window://com.example.stage/full' };
/** The window of the MCP server `mute`, which declares no `resources.subscribe`. */
export const MUTE_WINDOW = 'window://com.example.mute/window';

/** The configuration of a Computer under test, in a folder of its own. */
export interface Fixture extends AsyncDisposable {
  servers: MCPServerConfig[];
  inputs: MCPServerInput[];
  /** A configuration file with both. */
  config: string;
  /** A folder for uploads. */
  uploads: string;
  /** A folder whose folders are skills. */
  skills: string;
  /** The messages that the MCP server `fixture` received. */
  received(matches: (message: McpMessage) => boolean, milliseconds?: number): Promise<McpMessage | undefined>;
}

export interface McpMessage {
  id?: number | string;
  method?: string;
  params?: { name?: string; uri?: string; arguments?: Record<string, unknown>; requestId?: number | string };
}

export async function openFixture(): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-conformance-'));
  const [config, log] = [join(folder, 'mcp.json'), join(folder, 'fixture.log')];
  const [uploads, skills] = [join(folder, 'uploads'), join(folder, 'skills/user')];
  await Promise.all([mkdir(uploads), mkdir(join(skills, SKILL.name), { recursive: true }), writeFile(log, '')]);
  const front = `---\nname: ${SKILL.name}\ndescription: A skill of the kit\n---\n`;
  await writeFile(join(skills, SKILL.name, 'SKILL.md'), `${front}${SKILL.text}`);
  const servers = mcpServers(log);
  const inputs: MCPServerInput[] = [CHOICE];
  const byName = Object.fromEntries(servers.map(server => [server.name, server]));
  await writeFile(config, JSON.stringify({ inputs, servers: byName }, null, 2));
  return {
    servers,
    inputs,
    config,
    uploads,
    skills,
    received: (matches, milliseconds) =>
      waitFor(async () => parseLines(await readFile(log, 'utf8')).find(matches), milliseconds),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function parseLines(text: string): McpMessage[] {
  // The last line may be half written.
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as McpMessage);
}

/** All fields are given, since some Computers have no defaults. */
function mcpServers(log: string): MCPServerConfig[] {
  const server = (name: string, script: object, more: Partial<MCPServerConfig> = {}) => {
    const base = { name, disabled: false, forbidden_tools: [], tool_meta: {}, ...more };
    return scriptedServer(script, base as { name: string });
  };
  const fixture = server(
    'fixture',
    { tools: TOOLS, resources: RESOURCES, prompts: [PROMPT], subscribe: true, log },
    {
      forbidden_tools: ['forbidden-echo'],
      tool_meta: { 'renamed-echo': { alias: 'renamed', tags: ['kit'] } },
    },
  );
  if (fixture.type === 'stdio') fixture.server_parameters.env = { A2C_CONFORMANCE_VALUE: SECRET };
  const full = { uri: STAGE.full, name: 'full', _meta: { fullscreen: true } };
  const plain = { uri: STAGE.plain, name: 'plain', annotations: { priority: 1 } };
  const mute = { uri: MUTE_WINDOW, name: 'mute' };
  return [
    fixture,
    server('paged', { tools: ['first-echo', 'second-echo', 'third-echo'], pageSize: 1 }),
    server('stage', {
      tools: ['stage-echo'],
      resources: [plain, full],
      subscribe: true,
      prompts: [{ name: 'first' }, { name: 'second' }],
      promptPageSize: 1,
    }),
    server('mute', { tools: ['mute-echo'], resources: [mute] }),
  ];
}
