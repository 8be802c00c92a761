import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { MCPServerInput } from '@a2c-smcp/protocol';
import type { Hearing } from '../hearing.ts';
import { idOf, type Release } from '../releases.ts';
import type { AgentPeer, AgentPeerOptions, ComputerPeer, Kind, Tool, ToolResult } from './peer.ts';
import type { PeerProcess } from './peer-process.ts';

export type Role = 'agent' | 'computer' | 'server';

/** Where the peers of an official release run. */
export interface Hosts {
  /** The home folder of all of them. */
  home: string;
  /** The process for one more peer of a role. */
  take(role: Role): PeerProcess;
  /** Its peer is gone. */
  release(host: PeerProcess): Promise<void>;
  close(): Promise<void>;
}

/** An official release behind lines of JSON. */
export function official(release: Release, hosts: Hosts): Kind {
  const { protocolVersion, knows } = release;
  return {
    id: idOf(release),
    protocolVersion,
    knows: new Set(knows),
    serve: async ({ key, ownProvider }) => {
      const remote = open(hosts, 'server');
      const url = (await remote.first('listen', { key, ...(ownProvider && { own_provider: true }) })) as string;
      return { url, [Symbol.asyncDispose]: () => remote.close() };
    },
    connectAgent: options => connectAgent(open(hosts, 'agent'), options),
    openComputer: async ({ url, key, name, servers, inputs = [], skillHome }) => {
      const remote = open(hosts, 'computer');
      const skills = skillHome !== undefined && knows.includes('skill-files') ? { skill_home: skillHome } : {};
      const known = knows.includes('labels') ? inputs : inputs.map(withoutLabels);
      await remote.first('open', { name, servers, inputs: known, ...skills });
      await remote.ask('connect', { url, key });
      return computerPeer(remote, hosts.home, knows.includes('skills'));
    },
    close: () => hosts.close(),
  };
}

/** One peer in a process. */
interface Remote {
  hearing: Hearing;
  /** Carries out the command that makes the peer; without it there is nothing to close. */
  first(command: string, args: object): Promise<unknown>;
  /** @param limit milliseconds */
  ask(command: string, args?: object, limit?: number): Promise<unknown>;
  close(): Promise<void>;
}

function open(hosts: Hosts, role: Role): Remote {
  const host = hosts.take(role);
  const peer = host.name();
  const ask = (command: string, args: object = {}, limit?: number) => host.ask(command, peer, args, limit);
  return {
    hearing: host.hearing(peer),
    first: async (command, args) => {
      try {
        return await ask(command, args);
      } catch (error) {
        await hosts.release(host);
        throw error;
      }
    },
    ask,
    close: async () => {
      try {
        await ask('close');
      } finally {
        await hosts.release(host);
      }
    },
  };
}

async function connectAgent(remote: Remote, options: AgentPeerOptions): Promise<AgentPeer> {
  const { url, key, name, office, toolSeconds, mustAsk } = options;
  const { ask, hearing } = remote;
  await remote.first('connect', { url, key, name, office, tool_seconds: toolSeconds ?? null });
  try {
    if (mustAsk) throw new Error((await ask('refused', { role: 'agent', name, office })) as string);
    await ask('join');
  } catch (error) {
    await remote.close();
    throw error;
  }
  return {
    hearing,
    tools: computer => ask('tools', { computer }) as Promise<Tool[]>,
    callTool: ({ params = {}, ...call }, seconds = 20) =>
      ask('call_tool', { ...call, params, timeout: seconds }, callLimit(seconds)) as Promise<ToolResult>,
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
    upload: (computer, fileName, bytes) => {
      const data = Buffer.from(bytes).toString('base64');
      return ask('upload', { computer, name: fileName, data }) as Promise<string>;
    },
    readBlob: (computer, handle) => ask('read_blob', { computer, handle }) as Promise<string>,
    skills: computer => ask('skills', { computer }) as Promise<string[]>,
    skillFile: (computer, name, path) => ask('skill_file', { computer, name, path }) as Promise<string>,
    changeRole: () => ask('refused', { role: 'computer', name, office }) as Promise<string>,
    [Symbol.asyncDispose]: () => remote.close(),
  };
}

/** Milliseconds for a call and what is fetched for it afterwards. */
function callLimit(seconds: number): number {
  return (seconds + 30) * 1000;
}

/** A choice as releases before 0.3.3 know it. */
function withoutLabels(input: MCPServerInput): object {
  if (input.type !== 'pickString') return input;
  return { ...input, options: input.options.map(option => (typeof option === 'string' ? option : option.value)) };
}

function computerPeer(remote: Remote, home: string, knowsSkills: boolean): ComputerPeer {
  const ask = async (command: string, args: object = {}) => void (await remote.ask(command, args));
  return {
    join: office => ask('join', { office }),
    leave: () => ask('leave'),
    addServer: config => ask('add_server', { config }),
    age: seconds => age(join(home, '.a2c/.blobspool'), seconds),
    ...(knowsSkills && { announceSkills: () => ask('skills') }),
    [Symbol.asyncDispose]: () => remote.close(),
  };
}

/** Official Computers keep the bytes of results as files, and have no clock for them but that of the file system. */
async function age(folder: string, seconds: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    const then = mtimeMs / 1000 - seconds;
    await utimes(path, then, then);
  }
}
