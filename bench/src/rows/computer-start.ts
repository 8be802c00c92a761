import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c-smcp/agent';
import { installNpm } from '../harness/install.ts';
import { onAllCores } from '../harness/pinning.ts';
import { unlessQuick } from '../harness/quick.ts';
import { startServer } from '../harness/servers.ts';
import { spreadOf } from '../harness/statistics.ts';
import { atMost } from '../report/lines.ts';
import type { Result, Section, Target } from '../report/result.ts';
import { duration } from '../report/units.ts';

const HUB = 'mcp-hub';
const PORTER = 'mcporter';
const EVERYTHING = '@modelcontextprotocol/server-everything';
const FILES = '@modelcontextprotocol/server-filesystem';
const MEMORY = '@modelcontextprotocol/server-memory';
const THINKING = '@modelcontextprotocol/server-sequential-thinking';

/** The versions that are compared. */
const PACKAGES = {
  [HUB]: '4.2.1',
  [PORTER]: '0.9.0',
  [EVERYTHING]: '2026.8.31',
  [FILES]: '2026.8.31',
  [MEMORY]: '2026.8.31',
  [THINKING]: '2026.8.31',
};

const SERVERS = unlessQuick(10, 4);
/** Of two the median would be the smaller one. */
const ROUNDS = unlessQuick(3, 1);
/** Milliseconds for one start, and from there to the reading of an idle process. */
const START_TIMEOUT_MS = 120_000;
const IDLE_MS = unlessQuick(10_000, 100);
const A2C = fileURLToPath(new URL('../../../packages/cli/bin/a2c.js', import.meta.url));

/** A program that starts MCP servers. Resolves to the milliseconds until all are connected. */
type Start = () => Promise<number>;

type Ours = 'eager' | 'listed' | 'lazy' | 'least';

interface LineOptions {
  /** The baseline. @default the faster of the other programs */
  beside?: 'best' | 'least';
  target?: Target;
}

/** The start of many MCP servers, and what an idle Computer with them takes. */
export async function computerStart(): Promise<Section> {
  const title = `The start of ${SERVERS} MCP servers`;
  const method =
    `Official MCP servers on Node, from the start of the program until all ${SERVERS} have listed their tools, on all cores. ` +
    'The baseline is the faster of mcp-hub and mcporter in each round. The least program starts all processes at once ' +
    'and sends each the three messages of a handshake: nothing that connects them can be faster. After an earlier start ' +
    'a Computer lists them from its cache: until an Agent in the office gets the tools of all, while they start, and ' +
    'until lazy ones sleep, listed. Memory is resident, ten seconds after the start: V8 gives back what that needed ' +
    'after seven.';
  const packages = installNpm(PACKAGES);
  if (packages === undefined)
    return { title, method, results: [], skipped: 'npm could not install mcp-hub and mcporter' };
  if (process.platform !== 'linux')
    return { title, method, results: [], skipped: 'memory is read from /proc of Linux' };
  const folder = await mkdtemp(join(tmpdir(), 'a2c-bench-start-'));
  try {
    return { title, method, results: await onAllCores(() => measure(join(packages, 'node_modules'), folder)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(modules: string, folder: string): Promise<Result[]> {
  const eager = await writeConfig(join(folder, 'eager.json'), modules, {});
  const lazy = await writeConfig(join(folder, 'lazy.json'), modules, { start: 'lazy' });
  const sizes: Memory[] = [];
  const startHub: Start = () => timeHub(join(modules, '.bin', HUB), eager);
  const startPorter: Start = () => timePorter(join(modules, '.bin', PORTER), eager);
  // Fills the cache.
  await timeComputer(eager, folder, { state: 'ready' });
  await timeComputer(lazy, folder, { state: 'ready' });
  await using server = await startServer('ours');
  const rounds: Record<'best' | Ours, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const onIdle = round === 0 ? (size: Memory) => sizes.push(size) : undefined;
    const unknown = await mkdtemp(join(folder, 'home-'));
    rounds.push({
      best: Math.min(await startHub(), await startPorter()),
      eager: await timeComputer(eager, unknown, { state: 'ready', onIdle }),
      least: await timeLeast(eager),
      listed: await timeListed(eager, folder, String(server.greeting)),
      lazy: await timeComputer(lazy, folder, { state: 'asleep' }),
    });
  }
  const line = (name: string, key: Ours, { beside = 'best', target }: LineOptions = {}): Result => ({
    name,
    baseline: duration(spreadOf(rounds.map(round => round[beside])).median),
    ours: duration(spreadOf(rounds.map(round => round[key])).median),
    ratio: spreadOf(rounds.map(round => round[key] / round[beside])),
    ...(target ? { target } : {}),
  });
  return [
    line('all connected', 'eager'),
    line('all connected, by the least program', 'least'),
    line('all connected, beside the least program', 'eager', { beside: 'least' }),
    line('all listed to an Agent, after a restart', 'listed', { target: atMost(0.33) }),
    line('all listed, lazy', 'lazy', { target: atMost(0.33) }),
    memoryLine(
      'the idle Computer',
      sizes.map(({ computer }) => computer),
      80,
    ),
    memoryLine(
      'its guardian',
      sizes.map(({ guardian }) => guardian),
      20,
    ),
  ];
}

function memoryLine(name: string, megabytes: readonly number[], limit: number): Result {
  const { median } = spreadOf(megabytes);
  return { name, ours: `${median.toFixed(1)} MB`, value: median, target: atMost(limit, 'MB') };
}

async function writeConfig(file: string, modules: string, more: object): Promise<string> {
  const program = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(modules, name, 'dist/index.js'), ...args],
    ...more,
  });
  const kinds = [program(EVERYTHING, 'stdio'), program(FILES, tmpdir()), program(MEMORY), program(THINKING)];
  const servers = Array.from({ length: SERVERS }, (_, index) => [`s${index}`, kinds[index % kinds.length]]);
  await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  return file;
}

/** Resident megabytes. */
interface Memory {
  computer: number;
  guardian: number;
}

/** Starts a Computer. Its words for the command line follow `a2c computer`. */
function startComputer(config: string, home: string, words: readonly string[]) {
  const all = [A2C, 'computer', '--service', '--config', config, '--log-level', 'info', ...words];
  const env = { ...process.env, HOME: home, A2C_PINS: 'off', A2C_AUDIT: 'off' };
  return spawn(process.execPath, all, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

interface ComputerRun {
  state: 'ready' | 'asleep';
  onIdle?: ((memory: Memory) => void) | undefined;
}

/** The milliseconds until all MCP servers are in a state. */
async function timeComputer(config: string, home: string, { state, onIdle }: ComputerRun): Promise<number> {
  const started = performance.now();
  const child = startComputer(config, home, ['--offline']);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    log += text;
  });
  try {
    await until(child, () => log.split(`"state":"${state}"`).length > SERVERS);
    const took = performance.now() - started;
    if (onIdle) {
      await delay(IDLE_MS);
      onIdle(await memoryOf(child.pid ?? 0));
    }
    return took;
  } finally {
    await end(child);
  }
}

/** The milliseconds until an Agent gets the tools of all MCP servers. */
async function timeListed(config: string, home: string, url: string): Promise<number> {
  const office = `office-${performance.now()}`;
  await using agent = await Agent.connect(url, { name: 'bench', office });
  const started = performance.now();
  const child = startComputer(config, home, ['--url', url, '--office', office, '--name', 'desk']);
  child.stderr.resume();
  try {
    await until(child, async () => {
      const tools = await agent.getTools('desk').catch(() => []);
      return new Set(tools.map(({ bundle_id }) => bundle_id)).size === SERVERS;
    });
    return performance.now() - started;
  } finally {
    await end(child);
  }
}

async function memoryOf(pid: number): Promise<Memory> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
  const named = await Promise.all(
    children.map(async child => ({ child, line: await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '') })),
  );
  const guardian = named.find(({ line }) => line.includes('guardian'))?.child ?? 0;
  return { computer: await residentOf(pid), guardian: await residentOf(guardian) };
}

async function residentOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024;
}

async function timeLeast(config: string): Promise<number> {
  const { mcpServers } = JSON.parse(await readFile(config, 'utf8')) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const started = performance.now();
  const children = Object.values(mcpServers).map(({ command, args }) =>
    spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] }),
  );
  try {
    await Promise.all(children.map(({ stdin, stdout }) => listTools(stdin, stdout)));
    return performance.now() - started;
  } finally {
    await Promise.all(children.map(end));
  }
}

async function listTools(stdin: Writable, stdout: Readable): Promise<void> {
  const clientInfo = { name: 'least', version: '1' };
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  for await (const line of createInterface({ input: stdout })) {
    const { id } = JSON.parse(line) as { id?: number };
    if (id === 2) return;
    if (id !== 1) continue;
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list' });
  }
}

async function timeHub(program: string, config: string): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(program, ['--port', String(port), '--config', config], { stdio: 'ignore' });
  try {
    await until(child, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined);
      return ((await answer?.text()) ?? '').split('"status":"connected"').length > SERVERS;
    });
    return performance.now() - started;
  } finally {
    await end(child);
  }
}

/** It lists once and ends, with all servers that it started. */
async function timePorter(program: string, config: string): Promise<number> {
  const started = performance.now();
  const timeout = ['--timeout', String(START_TIMEOUT_MS)];
  const child = spawn(program, ['--config', config, 'list', '--json', ...timeout], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let listed = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    listed += text;
  });
  try {
    await until(child, () => listed.split('"status": "ok"').length > SERVERS);
    return performance.now() - started;
  } finally {
    await end(child);
  }
}

async function until(child: ChildProcess, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`'${child.spawnfile}' has not connected all MCP servers in time`);
    await delay(10);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
