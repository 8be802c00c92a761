import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type AgentEvents } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { NEWEST_VERSION } from '@a2c-smcp/protocol';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { Hearing } from '../hearing.ts';
import type {
  AgentPeer,
  AgentPeerOptions,
  ComputerPeer,
  ComputerPeerOptions,
  Kind,
  ToolResult,
  Topic,
} from './peer.ts';

/** This repository, with its defaults: the Server serves all lines, and clients agree with a Server on one. */
export function ours(): Kind {
  return {
    id: 'ours',
    protocolVersion: NEWEST_VERSION,
    knows: new Set<Topic>(['desktop', 'resources', 'finder', 'uploads', 'skills', 'skill-files', 'labels']),
    serve: ({ key, versions }) => SmcpServer.listen({ port: 0, authenticate: apiKeys(key), acceptVersions: versions }),
    connectAgent,
    openComputer,
    close: async () => {},
  };
}

/** The official releases look for the key in different places. */
function credentials(key: string): { auth: Record<string, string>; headers: Record<string, string> } {
  return { auth: { token: key }, headers: { 'x-api-key': key } };
}

async function connectAgent({ url, key, name, office, protocolVersion }: AgentPeerOptions): Promise<AgentPeer> {
  const agent = await Agent.connect(url, { ...credentials(key), name, office, protocolVersion, toolTimeout: 20_000 });
  return {
    hearing: listen(agent),
    tools: computer => agent.getTools(computer),
    callTool: (call, seconds = 20) => agent.callTool(call, { timeout: seconds * 1000 }) as Promise<ToolResult>,
    callAndCancel: (call, running) => {
      const abort = new AbortController();
      void running.then(() => abort.abort());
      return agent.callTool(call, { signal: abort.signal }) as Promise<ToolResult>;
    },
    desktop: (computer, options) => agent.getDesktop(computer, options),
    config: computer => agent.getConfig(computer),
    computers: async () => {
      const members = await agent.members();
      return members.flatMap(({ role, name }) => (role === 'computer' && name ? [name] : []));
    },
    resources: async (computer, server) => (await agent.getResources(computer, { server })).resources,
    documents: async computer => (await agent.getFinder(computer)).documents.map(({ uri }) => uri),
    readPage: async (computer, uri, page) => JSON.stringify(await agent.readPage(computer, uri, page)),
    upload: async (computer, name, bytes) => (await agent.upload(computer, bytes, { name })).path,
    readBlob: async (computer, handle) => Buffer.from((await agent.readBlob(computer, handle)).data).toString('base64'),
    skills: async computer => (await agent.skills(computer)).map(skill => skill.name),
    skillFile: async (computer, name, path) => {
      const { text, data = Buffer.from(text ?? '') } = await agent.skill(computer, name, path);
      return Buffer.from(data).toString('base64');
    },
    [Symbol.asyncDispose]: () => agent.close(),
  };
}

function listen(agent: Agent): Hearing {
  const hearing = new Hearing();
  const topics: (keyof AgentEvents)[] = ['enter', 'leave', 'tools', 'config'];
  for (const topic of topics) agent.on(topic, payload => hearing.add(topic, payload));
  agent.on('changed', ({ computer, topic }) => hearing.add(`changed-${topic}`, { computer }));
  return hearing;
}

async function openComputer(options: ComputerPeerOptions): Promise<ComputerPeer> {
  const { url, key, name, servers, inputs = [], skillHome, handleAge } = options;
  const byName = Object.fromEntries(servers.map(server => [server.name, server]));
  const landing = await mkdtemp(join(tmpdir(), 'interop-uploads-'));
  const folder = skillHome === undefined ? undefined : join(skillHome, 'user');
  const skills = folder === undefined ? {} : { skills: { folder } };
  const spool = handleAge === undefined ? {} : { spool: { maxAge: handleAge } };
  const uploads = { folder: landing };
  const computer = await Computer.open({ name, servers: byName, inputs: [...inputs], uploads, ...skills, ...spool });
  return {
    join: office => computer.join(url, { ...credentials(key), office }),
    leave: () => computer.leave(),
    addServer: async config => void (await computer.addServer(config)),
    announceSkills: async () => {
      if (folder === undefined) return;
      await mkdir(join(folder, 'another'));
      await writeFile(join(folder, 'another/SKILL.md'), '---\nname: another\ndescription: New\n---\n');
    },
    [Symbol.asyncDispose]: async () => {
      await computer.close();
      await rm(landing, { recursive: true, force: true });
    },
  };
}
