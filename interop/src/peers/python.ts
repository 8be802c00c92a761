import type { AgentPeer, AgentPeerOptions, ComputerPeer, Kind, Tool, ToolResult, Topic } from './peer.ts';
import type { Environment } from './python-environment.ts';
import { PythonProcess } from './python-process.ts';

/** An official release. */
export interface Release {
  version: string;
  protocolVersion?: string;
  knows: readonly Topic[];
}

/** A release of the official Python package, each role in a process of its own. */
export function python({ version, protocolVersion, knows }: Release, environment: Environment): Kind {
  const processes = new Map<string, PythonProcess>();
  const hostOf = (role: 'agent' | 'computer' | 'server') => {
    const started = processes.get(role) ?? new PythonProcess(role, environment);
    processes.set(role, started);
    return started;
  };
  return {
    id: `python-${version}`,
    protocolVersion,
    knows: new Set(knows),
    serve: async ({ key }) => {
      const host = hostOf('server');
      const peer = host.name();
      const url = (await host.ask('listen', peer, { key })) as string;
      return { url, [Symbol.asyncDispose]: async () => void (await host.ask('close', peer)) };
    },
    connectAgent: options => connectAgent(hostOf('agent'), options),
    openComputer: async ({ url, key, name, servers }) => {
      const host = hostOf('computer');
      const peer = host.name();
      await host.ask('open', peer, { name, servers });
      await host.ask('connect', peer, { url, key });
      return computerPeer(host, peer, knows.includes('skills'));
    },
    close: async () => void (await Promise.all([...processes.values()].map(running => running.close()))),
  };
}

async function connectAgent(host: PythonProcess, options: AgentPeerOptions): Promise<AgentPeer> {
  const { url, key, name, office, mustAsk } = options;
  const peer = host.name();
  const ask = (command: string, args: object = {}) => host.ask(command, peer, args);
  await ask('connect', { url, key, name, office });
  try {
    if (mustAsk) throw new Error((await ask('refused', { role: 'agent', name, office })) as string);
    await ask('join');
  } catch (error) {
    await ask('close');
    throw error;
  }
  const hearing = host.hearing(peer);
  return {
    hearing,
    tools: computer => ask('tools', { computer }) as Promise<Tool[]>,
    callTool: ({ params = {}, ...call }, seconds = 20) =>
      ask('call_tool', { ...call, params, timeout: seconds }) as Promise<ToolResult>,
    callAndCancel: async ({ params = {}, ...call }, running) => {
      const result = ask('call_and_cancel', { ...call, params, timeout: 8 }) as Promise<ToolResult>;
      const { req_id } = (await hearing.next('calling')) as { req_id: string };
      await Promise.race([running.then(() => ask('cancel', { req_id })), result]);
      return result;
    },
    desktop: (computer, { size = null, window = null }: { size?: number | null; window?: string | null } = {}) =>
      ask('desktop', { computer, size, window }) as Promise<string[]>,
    config: computer => ask('config', { computer }) as ReturnType<AgentPeer['config']>,
    computers: async () => ((await ask('computers')) as { name: string }[]).map(computer => computer.name),
    resources: (computer, server) => ask('resources', { computer, server }) as Promise<{ uri: string }[]>,
    changeRole: () => ask('refused', { role: 'computer', name, office }) as Promise<string>,
    [Symbol.asyncDispose]: async () => void (await ask('close')),
  };
}

function computerPeer(host: PythonProcess, peer: string, knowsSkills: boolean): ComputerPeer {
  const ask = async (command: string, args: object = {}) => void (await host.ask(command, peer, args));
  return {
    join: office => ask('join', { office }),
    leave: () => ask('leave'),
    addServer: config => ask('add_server', { config }),
    ...(knowsSkills && { announceSkills: () => ask('skills') }),
    [Symbol.asyncDispose]: () => ask('close'),
  };
}
