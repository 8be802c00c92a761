import { fileURLToPath } from 'node:url';
import {
  Agent,
  type AgentOptions,
  type DesktopPromptOptions,
  desktopPrompt,
  type FinderOptions,
  type PageIndexOptions,
  type PageOptions,
  type PromptsOptions,
  type ReadResourceOptions,
  type RequestOptions,
} from '@a2c-smcp/agent';
import {
  Computer,
  type ComputerOptions,
  type JoinOptions,
  type LocalToolCall,
  organizeFinder,
} from '@a2c-smcp/computer';
import { Emitter } from '@a2c-smcp/core';
import { Peer, type PeerOptions } from '@a2c-smcp/peer';
import { completeServerConfig, type MCPServerConfig, SmcpError } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { Vrl } from '@a2c-smcp/vrl';
import { expect, test } from 'vitest';
import { Toolbox, type ToolOptions } from '../../packages/agent/src/models/toolbox.ts';
import { eventually, scripted } from '../computer/office.ts';
import { publishing } from '../computer/publishing.ts';

/** Every optional key of a type, as undefined. The compiler names those that are missing. */
type Undefined<T> = Record<{ [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T], undefined>;

const request: Undefined<RequestOptions> = { timeout: undefined, signal: undefined };

const peer: Undefined<PeerOptions> = {
  auth: undefined,
  headers: undefined,
  replace: undefined,
  waitForServer: undefined,
  ca: undefined,
  transports: undefined,
  path: undefined,
  protocolVersion: undefined,
  timeout: undefined,
  signal: undefined,
  logger: undefined,
  prepare: undefined,
  trace: undefined,
};

const join: Undefined<JoinOptions> = {
  auth: undefined,
  headers: undefined,
  replace: undefined,
  waitForServer: undefined,
  ca: undefined,
  transports: undefined,
  path: undefined,
  protocolVersion: undefined,
  timeout: undefined,
  signal: undefined,
  trace: undefined,
};

const agentOptions: Undefined<AgentOptions> = {
  ...join,
  logger: undefined,
  connectTimeout: undefined,
  toolTimeout: undefined,
  maxBlobBytes: undefined,
  callsInFlight: undefined,
  autoRefresh: undefined,
};

const computerOptions: Undefined<ComputerOptions> = {
  servers: undefined,
  tools: undefined,
  localServers: undefined,
  catalogFolder: undefined,
  inputs: undefined,
  skills: undefined,
  inputValues: undefined,
  configFile: undefined,
  ask: undefined,
  confirm: undefined,
  elicit: undefined,
  remember: undefined,
  policy: undefined,
  questions: undefined,
  pins: undefined,
  faces: undefined,
  audit: undefined,
  store: undefined,
  transformer: undefined,
  env: undefined,
  inlineBudget: undefined,
  spool: undefined,
  uploads: undefined,
  exposeSecrets: undefined,
  configuration: undefined,
  startTimeout: undefined,
  requestTimeout: undefined,
  pingInterval: undefined,
  patience: undefined,
  serverLogLevel: undefined,
  sample: undefined,
  logger: undefined,
};

const local: Undefined<LocalToolCall> = {
  params: undefined,
  timeout: undefined,
  signal: undefined,
  onProgress: undefined,
};
const finder: Undefined<FinderOptions> = {
  ...request,
  keywords: undefined,
  fileType: undefined,
  content: undefined,
  offset: undefined,
  limit: undefined,
};
const pageIndex: Undefined<PageIndexOptions> = { ...request, offset: undefined, limit: undefined };
const page: Undefined<PageOptions> = { ...request, format: undefined, categories: undefined };
const reading: Undefined<ReadResourceOptions> = { ...request, server: undefined };
const prompts: Undefined<PromptsOptions> = { ...request, server: undefined, cursor: undefined };
const prompt: Undefined<DesktopPromptOptions> = {
  ...request,
  computers: undefined,
  size: undefined,
  window: undefined,
  maxChars: undefined,
};
const filter: Undefined<ToolOptions> = {
  computers: undefined,
  tags: undefined,
  names: undefined,
  alwaysPrefix: undefined,
  ownTools: undefined,
  confirm: undefined,
  onCall: undefined,
  onResult: undefined,
  timeout: undefined,
};

/** As a program in JavaScript may write it. */
const sloppy = <T>(options: unknown) => options as T;

const plain = scripted({ tools: ['echo'] }, { name: 's' });
const server_parameters = { ...plain.server_parameters, env: undefined, cwd: undefined, encoding: undefined };
const config = sloppy<MCPServerConfig>({
  ...plain,
  server_parameters,
  disabled: undefined,
  forbidden_tools: undefined,
  tool_meta: undefined,
  vrl: undefined,
  mcp_protocol: undefined,
  require_subscribe: undefined,
  start: undefined,
  idle: undefined,
});

test('a Computer, an Agent and a Peer with every option undefined work as with none', async () => {
  await using server = await SmcpServer.listen({ host: '127.0.0.1', port: 0 });
  await using empty = await Computer.open(sloppy({ ...computerOptions, name: 'empty' }));
  await empty.join(server.url, sloppy({ ...join, office: 'o' }));
  const library = fileURLToPath(new URL('../fixtures/library-mcp-server.mjs', import.meta.url));
  const lib = { type: 'stdio' as const, server_parameters: { command: process.execPath, args: [library] } };
  const servers = { s: config, windows: publishing({ windows: 1 }, { name: 'windows' }), lib };
  await using computer = await Computer.open(sloppy({ ...computerOptions, name: 'desk', servers }));
  const joined = { ...join, auth: { token: undefined }, headers: { 'x-absent': undefined }, office: 'o' };
  await computer.join(server.url, sloppy(joined));
  expect(await computer.callTool(sloppy({ ...local, tool: 'echo' }))).not.toHaveProperty('isError');
  expect(await computer.desktop(sloppy({ size: undefined, window: undefined, maxChars: undefined }))).toHaveLength(1);
  expect(await computer.finder(sloppy(finder))).toMatchObject({ totalCount: 1 });

  await using agent = await Agent.connect(server.url, sloppy({ ...agentOptions, name: 'a', office: 'o' }));
  await agent.waitFor(sloppy({ computer: undefined, tool: 'echo' }), sloppy(request));
  const call = sloppy<Parameters<Agent['callTool']>[0]>({ computer: 'desk', tool: 'echo', params: undefined });
  expect(await agent.callTool(call, sloppy(request))).not.toHaveProperty('isError');
  expect((await agent.getFinder('desk', sloppy(finder))).documents).toHaveLength(1);
  let walked = 0;
  for await (const _ of agent.documents('desk', sloppy(finder))) walked += 1;
  expect(walked).toBe(1);
  const [document] = (await agent.getFinder('desk')).documents;
  const uri = String(document?.uri);
  expect(await agent.readDocument('desk', uri, sloppy(request))).toHaveProperty('page_count');
  expect(await agent.readPages('desk', uri, sloppy(pageIndex))).toHaveProperty('page_count');
  expect(await agent.readPage('desk', uri, 0, sloppy(page))).toHaveProperty('elements');
  expect(await agent.readResource('desk', uri, sloppy(reading))).toHaveLength(1);
  expect((await agent.getPrompts('desk', sloppy(prompts))).prompts).toEqual([]);
  expect(await desktopPrompt(agent, sloppy(prompt))).toContain('<window');
  expect(new Toolbox(agent, sloppy(filter)).offer().length).toBeGreaterThan(0);
  await agent.close();

  await using bare = await Peer.join(server.url, sloppy({ ...peer, role: 'agent', name: 'b', office: 'o' }));
  await eventually(() => expect(bare.joined).toBe(true));
});

test('an office that a Peer with undefined options cannot reach is an error as with none', async () => {
  const nobody = 'http://127.0.0.1:1';
  const options = sloppy<PeerOptions>({ ...peer, role: 'agent', name: 'b', office: 'o' });
  await expect(Peer.join(nobody, options)).rejects.toMatchObject({ code: 408 });
});

test('small objects with every option undefined work as with none', async () => {
  const emitter = new Emitter<{ tick: number }>(sloppy({ logger: undefined }));
  const heard: number[] = [];
  emitter.on('tick', count => heard.push(count), sloppy({ signal: undefined }));
  emitter.emit('tick', 1);
  expect(heard).toEqual([1]);
  expect(new SmcpError(400, 'x', sloppy({ details: undefined, cause: undefined })).details).toBeUndefined();
  expect(completeServerConfig(config)).toEqual(completeServerConfig(scripted({ tools: ['echo'] }, { name: 's' })));
  const query = { keywords: undefined, file_type: undefined, offset: undefined, limit: undefined };
  expect(organizeFinder([], sloppy(query))).toEqual({ documents: [], totalCount: 0 });
  const program = await Vrl.compile('.a = 1', sloppy({ timeout: undefined }));
  const { event } = program.run({}, sloppy({ timezone: undefined, timeout: undefined }));
  expect(event).toEqual({ a: 1 });
  program.dispose();
});
