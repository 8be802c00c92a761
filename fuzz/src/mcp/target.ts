import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, textOf } from '@a2c-smcp/agent';
import { type MCPServerConfig, SmcpError } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { FuzzedHttp } from './fuzzed-http.ts';

/** Whatever an MCP server does, a request of the Agent is answered within the time limit of the Server, and some more. */
const MAX_ANSWER_MS = 35_000;
/** Calls of the sound MCP server; the machine may be busy. */
const MAX_SOUND_MS = 5000;

const beside = (file: string) => new URL(file, import.meta.url).pathname;

/** A Computer whose MCP servers answer at random. */
export async function openMcp(): Promise<Target> {
  const server = await SmcpServer.listen({ port: 0 });
  const child = fork(beside('./computer-process.js'), [server.url, beside('./sound-server.js')], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    log = (log + text).slice(-5000);
  });
  const ended: Promise<never> = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The Computer ended with ${code ?? signal}\n${log}`);
  });
  ended.catch(() => {});
  await Promise.race([once(child, 'message'), ended]);
  const agent = await Agent.connect(server.url, { name: 'fuzzer', office: 'fuzz' });
  const http = await FuzzedHttp.open();
  /** Has the Computer replace its fuzzed MCP server. Resolves with the state of that. */
  const host = async (config: MCPServerConfig | null): Promise<unknown> => {
    child.send(config as object);
    const [state] = await Promise.race([within(once(child, 'message'), MAX_ANSWER_MS, 'Adding an MCP server'), ended]);
    return state;
  };
  await host(null);
  const children = childrenOf(child);
  let cases = 0;

  return {
    parallel: 1,

    async run(random: Random) {
      const state = await host(configOf(random, http));
      await Promise.race([Promise.all([useFuzzed(agent, random, state === 'ready'), useSound(agent)]), ended]);
      cases += 1;
    },

    async settle() {
      await host(null);
      await useSound(agent);
      const left = await eventually(
        () => childrenOf(child),
        count => count <= children,
      );
      if (left > children) throw new Error(`${left - children} processes of MCP servers were left behind`);
      return `${cases} MCP servers, ${left} processes as before, memory ${memoryOf(child)} MiB`;
    },

    async [Symbol.asyncDispose]() {
      await agent.close();
      if (child.connected) child.disconnect();
      http[Symbol.dispose]();
      await server.close();
    },
  };
}

function configOf(random: Random, http: FuzzedHttp): MCPServerConfig {
  const seed = random.bytes(8).toString('hex');
  const shared = { name: 'fuzzed', default_tool_meta: { auto_apply: true } };
  return random.chance(0.7)
    ? {
        ...shared,
        type: 'stdio',
        server_parameters: { command: process.execPath, args: [beside('./fuzzed-server.js'), seed] },
      }
    : { ...shared, type: 'streamable', server_parameters: { url: http.serve(seed), timeout: 'PT3S' } };
}

/** Everything an Agent can ask for. Errors are answers too, but they must come, and in time. */
async function useFuzzed(agent: Agent, random: Random, isReady: boolean): Promise<void> {
  const tools = await answered('get_tools', agent.getTools('desk'));
  const names = (tools ?? []).map(({ name }) => name).filter(name => name !== 'echo');
  const call = (tool: string) => agent.callTool({ computer: 'desk', tool, params: { text: 'x' } }, { timeout: 4000 });
  await Promise.all([
    ...names.slice(0, 3).map(name => answered('tool_call', call(name))),
    answered('get_desktop', agent.getDesktop('desk')),
    answered('get_finder', agent.getFinder('desk')),
    // A Computer waits for a server that is not ready, which would take most of the time here.
    ...(isReady ? [answered('get_resources', agent.getResources('desk', { server: 'fuzzed' }))] : []),
    answered('get_config', agent.getConfig('desk')),
    answered('get_dpe', agent.readDocument('desk', random.pick(['dpe://fuzz/doc', 'dpe://x/y']))),
  ]);
}

async function useSound(agent: Agent): Promise<void> {
  const text = 'still here';
  const call = agent.callTool({ computer: 'desk', tool: 'echo', params: { text } }, { timeout: 10_000 });
  const result = await within(call, MAX_SOUND_MS, 'A call of the sound MCP server');
  if (textOf(result) !== text) throw new Error(`The sound MCP server answered ${JSON.stringify(result)}`);
}

async function answered<T>(what: string, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await within(answer, MAX_ANSWER_MS, what);
  } catch (error) {
    if (error instanceof SmcpError && error.reason !== 'timeout') return undefined;
    throw error;
  }
}

function within<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function eventually<T>(look: () => T, isGood: (value: T) => boolean): Promise<T> {
  const end = performance.now() + 15_000;
  let value = look();
  while (!isGood(value) && performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 100));
    value = look();
  }
  return value;
}

/** How many processes a process has started that are still there. 0 where the system does not say. */
function childrenOf({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return 0;
  const stats = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return stats.filter(name => parentOf(name) === pid).length;
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function memoryOf({ pid }: ChildProcess): string {
  if (process.platform !== 'linux') return '?';
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return String(Math.round(Number(kibibytes) / 1024));
}
