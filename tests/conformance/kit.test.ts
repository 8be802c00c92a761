import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, type AgentOptions } from '@a2c-smcp/agent';
import { Computer, type JoinOptions } from '@a2c-smcp/computer';
import {
  type AgentStart,
  type AgentUnderTest,
  type ComputerStart,
  type ComputerUnderTest,
  playAgent,
  playComputer,
  playServer,
  type Result,
} from '@a2c-smcp/conformance';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { type OnPacket, Wire } from '../../interop/src/wire.ts';
import { run } from '../../packages/conformance/src/cli.ts';
import { root } from '../packages.ts';
import { verifies } from './verifies.ts';

const KEY = 'key-of-the-kit';
/** Engine.IO's packet that says nothing. */
const NOTHING = '6';
const LIMIT_MS = 90_000;
/** Packets in HTTP bodies pass the wire unchanged. */
const WEBSOCKET = { transports: ['websocket'] } as const;

describe.concurrent('the conformance kit', () => {
  test('finds nothing wrong with our Server, whatever line it speaks', { timeout: LIMIT_MS }, async ({ expect }) => {
    await using server = await listen();
    const newest = await playServer(server.url, { key: KEY });
    expect(failuresOf(newest)).toEqual([]);
    const ended = newest.filter(({ outcome }) => outcome === 'n/a').map(({ rule }) => rule);
    expect(ended.length).toBeLessThan(10);
    const earlier = await playServer(server.url, { key: KEY, line: '0.4', only: ended });
    expect(earlier.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  });

  verifies(
    'exec.time',
    async () => {
      const results = await playComputer(start => openComputer(start));
      expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
      expect(results.length).toBeGreaterThan(70);
    },
    'the kit finds nothing wrong with our Computer',
    LIMIT_MS,
  );

  verifies(
    'auth.refused',
    async () => {
      const results = await playAgent(start => connectAgent(start), { line: '0.4' });
      expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
      expect(results.length).toBeGreaterThan(20);
    },
    'the kit finds nothing wrong with our Agent',
    LIMIT_MS,
  );

  test('notices what is broken in a Server', { timeout: LIMIT_MS }, async ({ expect }) => {
    await using server = await listen();
    await using wire = await Wire.open(
      server.url,
      breaking('server', [
        [/"unheard_of":/, '"heard_of":'],
        [/\[false,"Room already has an agent"\]/, '[true,null]'],
        [/.*"notify:update_tool_list".*/, NOTHING],
        [/"code":404/g, '"code":500'],
        [/"client:get_config"/, '"client:get_configs"'],
      ]),
    );
    const rules = [
      'routing.unchanged',
      'join.agent.exclusive',
      'broadcast.audience',
      'routing.unknown-computer',
      'event.client.get-config',
      'join.repeat',
    ];
    const results = await playServer(wire.url, { key: KEY, line: '0.4', only: rules });
    expect(failuresOf(results).toSorted()).toEqual(rules.slice(0, -1).toSorted());
    const [failure] = results.filter(({ rule }) => rule === 'join.agent.exclusive');
    expect(failure).toMatchObject({ expected: 'a second Agent to be refused', seen: '[ true, null ]' });
  });

  test('notices what is broken in a Computer', { timeout: LIMIT_MS }, async ({ expect }) => {
    const broken = breaking('peer', [
      [/"return_schema":\{/, '"schema":{'],
      [/"pickString"/, '"PickString"'],
      [/\\n\\ntext of/g, '\\ntext of'],
    ]);
    const open = async (start: ComputerStart) => {
      const wire = await Wire.open(start.url, broken);
      return together(await openComputer({ ...start, url: wire.url }, WEBSOCKET), wire);
    };
    const only = ['tools.fields', 'struct.input.pick-string', 'render.text', 'ack.req-id.echo'];
    const results = await playComputer(open, { only });
    expect(failuresOf(results).toSorted()).toEqual(only.slice(0, -1).toSorted());
  });

  test('notices what is broken in an Agent', { timeout: LIMIT_MS }, async ({ expect }) => {
    const broken = breaking('peer', [
      [/"timeout":20/, '"timeout":"20"'],
      [/"name":"conformance-agent"/, '"name":"another"'],
    ]);
    const connect = async (start: AgentStart) => {
      const wire = await Wire.open(start.url, broken);
      const agent = await connectAgent({ ...start, url: wire.url }, WEBSOCKET);
      return { ...agent, ...together(agent, wire) };
    };
    const only = ['event.client.tool-call', 'event.server.join-office', 'event.client.get-tools'];
    const results = await playAgent(connect, { line: '0.4', only });
    expect(failuresOf(results).toSorted()).toEqual(only.slice(0, -1).toSorted());
  });
});

describe('a2c-conformance', () => {
  test('plays the Agent of the reference page through a command', async () => {
    const page = readFileSync(join(root, 'docs/reference/conformance.md'), 'utf8');
    const folder = join(root, 'node_modules/.cache');
    mkdirSync(folder, { recursive: true });
    const program = join(folder, `conformance-agent-${process.pid}.mjs`);
    writeFileSync(program, /```js\n(.*?)```/s.exec(page)?.[1] ?? '');
    const only = ['event.client.tool-call', 'event.server.tool-call-cancel', 'event.client.get-config'];
    const args = ['agent', '--json', ...only.flatMap(rule => ['--only', rule]), '--', process.execPath, program];
    const { code, out } = await command(...args);
    expect(JSON.parse(out)).toMatchObject(only.map(() => ({ outcome: 'pass' })));
    expect(code).toBe(0);
  });

  test('plays a Computer that learns everything from its environment, and exits with 1 when a rule fails', async () => {
    const a2c = [process.execPath, join(root, 'packages/cli/bin/a2c.js'), 'computer', '--name', '{name}'];
    const { code, out } = await command('computer', '--only', 'names.line', '--line', '0.2', '--', ...a2c);
    expect(out).toBe('pass  names.line\n\n1 rules: 1 pass, 0 fail, 0 not applicable\n');
    expect(code).toBe(0);
    await using server = await listen();
    await using wire = await Wire.open(server.url, breaking('server', [[/"sessions":/, '"members":']]));
    const failed = await command('server', wire.url, '--key', KEY, '--only', 'list-room.members');
    expect(failed.out).toContain('fail  list-room.members\n      `server:list_room` returns every session');
    expect(failed.out).toContain('docs/protocol/offices.md#listing-members');
    expect(failed.code).toBe(1);
  });

  test('says what is wrong with a command line, a URL and a command that ends, and exits with 2', async () => {
    const wrong: [args: string[], complaint: string][] = [
      [['relay'], "'relay' is none of server, computer and agent"],
      [['server'], "'' is not the URL of a Server"],
      [['server', 'http://127.0.0.1:1'], "No Server answers at 'http://127.0.0.1:1'"],
      [['server', 'http://127.0.0.1:1', '--only', 'x.y'], "No rule 'x.y' is played against this kind of peer"],
      [['server', 'http://127.0.0.1:1', '--line', '0.9'], "--line '0.9' is none of 0.1"],
      [['server', 'http://127.0.0.1:1', '--wrong'], "Unknown option '--wrong'"],
      [['computer'], "Give the command that starts the computer after '--'"],
      [['computer', '--', process.execPath, '-e', 'console.error("broke"); process.exit(3)'], 'ended with 3\nbroke'],
      [['agent', '--', './no-such-program'], "'./no-such-program' cannot be started"],
    ];
    for (const [args, complaint] of wrong) {
      const { code, err } = await command(...args);
      expect(err).toContain(complaint);
      expect(code).toBe(2);
    }
  });

  test('lists its rules, and its help names every option', async () => {
    const { out } = await command('computer', '--list');
    expect(out).toContain('tools.forbidden: A tool whose original name or alias');
    const { out: help } = await command('--help');
    for (const option of ['office', 'key', 'line', 'only', 'timeout', 'json', 'list', 'help'])
      expect(help).toContain(`--${option}`);
  });
});

function listen(): Promise<SmcpServer> {
  return SmcpServer.listen({ port: 0, gracePeriod: 0, authenticate: apiKeys(KEY) });
}

async function openComputer(start: ComputerStart, options: Partial<JoinOptions> = {}): Promise<ComputerUnderTest> {
  const { url, key, name, office, fixture } = start;
  const { config: configFile, uploads, skills } = fixture;
  const folders = { uploads: { folder: uploads }, skills: { folder: skills } };
  const computer = await Computer.open({ name, configFile, ...folders });
  await computer.join(url, { office, auth: { token: key }, ...options });
  return { [Symbol.asyncDispose]: () => computer.close() };
}

async function connectAgent(start: AgentStart, options: Partial<AgentOptions> = {}): Promise<AgentUnderTest> {
  const { url, key, name, office } = start;
  const agent = await Agent.connect(url, { name, office, auth: { token: key }, ...options });
  return {
    tools: computer => agent.getTools(computer),
    callTool: (call, seconds) => agent.callTool(call, { timeout: seconds * 1000 }),
    callAndCancel: (call, running) => {
      const abort = new AbortController();
      void running.then(() => abort.abort());
      return agent.callTool(call, { signal: abort.signal });
    },
    desktop: computer => agent.getDesktop(computer),
    config: computer => agent.getConfig(computer),
    [Symbol.asyncDispose]: () => agent.close(),
  };
}

/** Changes what one side sends. */
function breaking(side: Parameters<OnPacket>[0], changes: readonly [find: RegExp, replace: string][]): OnPacket {
  return (from, packet) => {
    if (from !== side) return packet;
    return changes.reduce((text, [find, replace]) => text.replace(find, replace), packet);
  };
}

function together(...parts: AsyncDisposable[]): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      for (const part of parts) await part[Symbol.asyncDispose]();
    },
  };
}

function failuresOf(results: readonly Result[]): string[] {
  return results.filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule);
}

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await run(args, {
    print: text => (out += text),
    complain: text => (err += text),
    signal: new AbortController().signal,
  });
  return { code, out, err };
}
