import { Agent } from '@a2c-smcp/agent';
import { Computer, type ComputerOptions } from '@a2c-smcp/computer';
import * as protocol from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer, scriptedServer } from '@a2c-smcp/testing';
import { expect } from 'vitest';
import { publishing } from '../computer/publishing.ts';
import { eventually } from '../eventually.ts';
import { verifies } from './verifies.ts';

const { clientEvents, notifyEvents, serverEvents, signalEvents } = protocol;
const identity = { agent: 'a1', computer: 'c1', req_id: 'r1' };

const noTools = ({ req_id }: Record<string, unknown>) => ({ tools: [], req_id });

/** The office `o1` with a Computer that only listens; tests add the others. */
async function openOffice() {
  const server = await SmcpServer.listen({ port: 0 });
  const bystander = await RawPeer.join(server.url, 'computer', 'bystander', 'o1');
  bystander.reply('client:get_tools', noTools);
  return {
    url: server.url,
    bystander,
    async [Symbol.asyncDispose]() {
      bystander.close();
      await server.close();
    },
  };
}

interface RequestCase<E extends protocol.ClientEvent> {
  event: E;
  /** Its exported name. */
  constant: string;
  /** Sends it with an Agent. */
  send: (agent: Agent) => Promise<unknown>;
  /** The fields that `send` must put into the request. */
  fields: object;
  /** A sound answer without its `req_id`. */
  answer: Record<string, unknown>;
  /** A request that a Computer with a window and a document answers with more than nothing. */
  request?: object;
  /** MCP servers of that Computer. @default one with a window and a document */
  servers?: NonNullable<ComputerOptions['servers']>;
}

/** The request goes from an Agent of ours to the one Computer that it names, and a Computer of ours answers as it must. */
async function checkRequest<E extends protocol.ClientEvent>(testCase: RequestCase<E>): Promise<void> {
  const { event, constant, send, fields, answer, request = fields, servers } = testCase;
  const { request: Request, response: Response } = clientEvents[event];
  expect(constant).toBe(event);
  await using office = await openOffice();
  const raw = await RawPeer.join(office.url, 'computer', 'c1', 'o1');
  const echoes = 'req_id' in Response.shape;
  // An Agent lists the tools of a Computer when it enters.
  if (event !== 'client:get_tools') raw.reply('client:get_tools', noTools);
  raw.reply(event, ({ req_id }) => (echoes ? { ...answer, req_id } : answer));
  const agent = await Agent.connect(office.url, { name: 'a1', office: 'o1' });
  await send(agent);
  const [sent] = raw.payloads(event).slice(-1);
  expect(Request.parse(sent)).toMatchObject({ agent: 'a1', computer: 'c1', req_id: expect.any(String), ...fields });
  // The Agent may list the tools of the bystander by itself.
  for (const payload of office.bystander.payloads(event)) expect(payload).toMatchObject({ computer: 'bystander' });
  await agent.close();
  raw.close();
  await using _computer = await joined(office.url, servers);
  await using asking = await RawPeer.join(office.url, 'agent', 'a1', 'o1');
  const [given] = await asking.ask(event, { ...identity, ...request });
  expect(protocol.readError(given)).toBeUndefined();
  const parsed = Response.parse(given);
  expect(Object.keys(parsed).toSorted()).toEqual(expect.arrayContaining(Object.keys(answer)));
}

/** A Computer of ours, `c1`, with one window and one document. */
async function joined(
  url: string,
  servers: ComputerOptions['servers'] = { app: publishing({ windows: 1, documents: 1, pages: 1 }) },
): Promise<Computer> {
  const computer = await Computer.open({ name: 'c1', servers });
  await eventually(() => computer.join(url, { office: 'o1' }));
  return computer;
}

verifies('event.namespace', async () => {
  expect(protocol.SMCP_NAMESPACE).toBe('/smcp');
  await using office = await openOffice();
  await using outside = await RawPeer.connect(office.url);
  expect(await outside.enter('agent', 'a1', 'o1')).toEqual([true, null]);
  expect(outside.socket).toHaveProperty('nsp', '/smcp');
});

verifies('event.client.tool-call', () =>
  checkRequest({
    event: 'client:tool_call',
    constant: protocol.TOOL_CALL_EVENT,
    send: agent => agent.callTool({ computer: 'c1', tool: 'log', params: { a: 1 } }, { timeout: 5000 }),
    fields: { tool_name: 'log', params: { a: 1 }, timeout: 5 },
    answer: { content: [{ type: 'text', text: 'x' }] },
  }),
);

verifies('event.client.get-config', () =>
  checkRequest({
    event: 'client:get_config',
    constant: protocol.GET_CONFIG_EVENT,
    send: agent => agent.getConfig('c1'),
    fields: {},
    answer: { servers: {} },
  }),
);

verifies('event.client.get-tools', () =>
  checkRequest({
    event: 'client:get_tools',
    constant: protocol.GET_TOOLS_EVENT,
    send: agent => agent.getTools('c1'),
    fields: {},
    answer: { tools: [] },
  }),
);

verifies('event.client.get-desktop', () =>
  checkRequest({
    event: 'client:get_desktop',
    constant: protocol.GET_DESKTOP_EVENT,
    send: agent => agent.getDesktop('c1', { size: 3, window: 'window://h' }),
    fields: { desktop_size: 3, window: 'window://h' },
    answer: { desktops: [] },
  }),
);

verifies('event.client.get-finder', () =>
  checkRequest({
    event: 'client:get_finder',
    constant: protocol.GET_FINDER_EVENT,
    send: agent => agent.getFinder('c1', { keywords: ['k'], fileType: 'pdf', offset: 1, limit: 2 }),
    fields: { keywords: ['k'], file_type: 'pdf', offset: 1, limit: 2 },
    answer: { documents: [], total_count: 0 },
  }),
);

verifies('event.client.get-resources', () =>
  checkRequest({
    event: 'client:get_resources',
    constant: protocol.GET_RESOURCES_EVENT,
    send: agent => agent.getResources('c1', { server: 'app', cursor: '1' }),
    fields: { mcp_server: 'app', cursor: '1' },
    answer: { resources: [] },
    request: { mcp_server: 'app' },
  }),
);

verifies('event.client.get-dpe', () => {
  const page = { page_index: 0, title: '', elements: [] };
  const uri = 'dpe://com.example.app/0/pages/0?format=json';
  return checkRequest({
    event: 'client:get_dpe',
    constant: protocol.GET_DPE_EVENT,
    send: agent => agent.readPage('c1', uri, 0),
    fields: { uri },
    answer: { contents: [{ uri, text: JSON.stringify(page) }] },
  });
});

verifies('event.client.read-resource', () => {
  const uri = 'window://com.example.app/0';
  return checkRequest({
    event: 'client:read_resource',
    constant: protocol.READ_RESOURCE_EVENT,
    send: agent => agent.readResource('c1', uri, { server: 'app' }),
    fields: { uri, mcp_server: 'app' },
    answer: { contents: [{ uri, text: 'x' }] },
  });
});

const prompting = { app: scriptedServer({ prompts: [{ name: 'p' }] }) };

verifies('event.client.get-prompts', () =>
  checkRequest({
    event: 'client:get_prompts',
    constant: protocol.GET_PROMPTS_EVENT,
    send: agent => agent.getPrompts('c1', { server: 'app', cursor: '1' }),
    fields: { mcp_server: 'app', cursor: '1' },
    answer: { prompts: [{ name: 'p', mcp_server: 'app' }] },
    request: {},
    servers: prompting,
  }),
);

verifies('event.client.get-prompt', () =>
  checkRequest({
    event: 'client:get_prompt',
    constant: protocol.GET_PROMPT_EVENT,
    send: agent => agent.getPrompt('c1', { server: 'app', name: 'p', arguments: { a: '1' } }),
    fields: { mcp_server: 'app', name: 'p', arguments: { a: '1' } },
    answer: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
    servers: prompting,
  }),
);

verifies('event.server.join-office', async () => {
  expect(protocol.JOIN_OFFICE_EVENT).toBe('server:join_office');
  expect(serverEvents['server:join_office'].request).toBe(protocol.EnterOfficeReq);
  await using office = await openOffice();
  await using agent = await RawPeer.connect(office.url);
  await using second = await RawPeer.connect(office.url);
  const join = { role: 'agent', name: 'a1', office_id: 'o1' };
  expect(await agent.ask('server:join_office', join)).toEqual([true, null]);
  expect(await second.ask('server:join_office', { ...join, name: 'a2' })).toEqual([false, expect.any(String)]);
});

verifies('event.server.leave-office', async () => {
  expect(protocol.LEAVE_OFFICE_EVENT).toBe('server:leave_office');
  expect(serverEvents['server:leave_office'].request).toBe(protocol.LeaveOfficeReq);
  await using office = await openOffice();
  for (const role of ['agent', 'computer'] as const) {
    await using peer = await RawPeer.join(office.url, role, 'p', 'o1');
    expect(await peer.ask('server:leave_office', { office_id: 'o1' })).toEqual([true, null]);
    expect(await peer.ask('server:leave_office', { office_id: 'o1' })).toEqual([false, expect.any(String)]);
  }
});

verifies('event.server.list-room', async () => {
  expect(protocol.LIST_ROOM_EVENT).toBe('server:list_room');
  await using office = await openOffice();
  await using agent = await RawPeer.join(office.url, 'agent', 'a1', 'o1');
  const [answer] = await agent.ask('server:list_room', { agent: 'a1', req_id: 'r1', office_id: 'o1' });
  const { sessions, req_id } = protocol.ListRoomRet.parse(answer);
  expect([req_id, sessions.map(({ name }) => name).toSorted()]).toEqual(['r1', ['a1', 'bystander']]);
  await using ours = await Computer.open({ name: 'ours' });
  await ours.join(office.url, { office: 'o1' });
  agent.close();
  await using listing = await Agent.connect(office.url, { name: 'a2', office: 'o1' });
  expect((await listing.members()).map(({ name }) => name).toSorted()).toEqual(['a2', 'bystander', 'ours']);
});

verifies('event.notify.enter-office', async () => {
  expect(protocol.ENTER_OFFICE_NOTIFICATION).toBe('notify:enter_office');
  await using office = await openOffice();
  await using _agent = await RawPeer.join(office.url, 'agent', 'a1', 'o1');
  await using _computer = await RawPeer.join(office.url, 'computer', 'c1', 'o1');
  await office.bystander.settled();
  const payloads = office.bystander.payloads('notify:enter_office');
  expect(payloads).toEqual([
    expect.objectContaining({ office_id: 'o1', agent: 'a1' }),
    expect.objectContaining({ office_id: 'o1', computer: 'c1' }),
  ]);
  checkOneName(payloads);
});

verifies('event.notify.leave-office', async () => {
  expect(protocol.LEAVE_OFFICE_NOTIFICATION).toBe('notify:leave_office');
  await using office = await openOffice();
  for (const role of ['agent', 'computer'] as const) {
    await using peer = await RawPeer.join(office.url, role, `the ${role}`, 'o1');
    await peer.leave('o1');
  }
  await office.bystander.settled();
  const payloads = office.bystander.payloads('notify:leave_office');
  expect(payloads).toEqual([
    expect.objectContaining({ office_id: 'o1', agent: 'the agent' }),
    expect.objectContaining({ office_id: 'o1', computer: 'the computer' }),
  ]);
  checkOneName(payloads);
});

/** A member has its name under `agent` or under `computer`, never under both. */
function checkOneName(payloads: readonly unknown[]): void {
  for (const payload of payloads) {
    const { agent, computer } = protocol.EnterOfficeNotification.parse(payload);
    expect([agent ?? null, computer ?? null].filter(name => name !== null)).toHaveLength(1);
  }
}

verifies(['event.server.update-config', 'event.notify.update-config'], () =>
  checkUpdate('config', protocol.UPDATE_CONFIG_EVENT, protocol.UPDATE_CONFIG_NOTIFICATION),
);

verifies(['event.server.update-tool-list', 'event.notify.update-tool-list'], () =>
  checkUpdate('tool_list', protocol.UPDATE_TOOL_LIST_EVENT, protocol.UPDATE_TOOL_LIST_NOTIFICATION),
);

verifies(['event.server.update-desktop', 'event.notify.update-desktop'], () =>
  checkUpdate('desktop', protocol.UPDATE_DESKTOP_EVENT, protocol.UPDATE_DESKTOP_NOTIFICATION),
);

verifies(['event.server.update-finder', 'event.notify.update-finder'], () =>
  checkUpdate('finder', protocol.UPDATE_FINDER_EVENT, protocol.UPDATE_FINDER_NOTIFICATION),
);

type Subject = 'config' | 'tool_list' | 'desktop' | 'finder';

/** The signal of a Computer is not answered and reaches the others as one notification of its own kind. */
async function checkUpdate(subject: Subject, event: string, notification: string): Promise<void> {
  expect([event, notification]).toEqual([`server:update_${subject}`, `notify:update_${subject}`]);
  expect(signalEvents[`server:update_${subject}`].from).toBe('computer');
  await using office = await openOffice();
  await using agent = await RawPeer.join(office.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(office.url, 'computer', 'c1', 'o1');
  await Promise.all([agent.settled(), office.bystander.settled()]);
  for (const peer of [agent, computer, office.bystander]) peer.heard.length = 0;
  const answers: unknown[] = [];
  computer.socket.emit(event, { computer: 'c1' }, (...answer: unknown[]) => answers.push(answer));
  await computer.settled();
  await Promise.all([agent.settled(), office.bystander.settled()]);
  for (const peer of [agent, office.bystander]) expect(peer.heard).toEqual([[notification, { computer: 'c1' }]]);
  expect(notifyEvents[`notify:update_${subject}`].parse({ computer: 'c1' })).toEqual({ computer: 'c1' });
  // A peer that asks for an answer nevertheless gets one without content.
  expect([computer.heard, answers]).toEqual([[], [[]]]);
}

verifies(['event.server.tool-call-cancel', 'event.notify.tool-call-cancel'], async () => {
  expect(protocol.CANCEL_TOOL_CALL_EVENT).toBe('server:tool_call_cancel');
  expect(protocol.CANCEL_TOOL_CALL_NOTIFICATION).toBe('notify:tool_call_cancel');
  await using office = await openOffice();
  const agent = await RawPeer.join(office.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(office.url, 'computer', 'c1', 'o1');
  const answers: unknown[] = [];
  const data = { agent: 'a1', req_id: 'r1' };
  agent.socket.emit('server:tool_call_cancel', data, (...answer: unknown[]) => answers.push(answer));
  await agent.settled();
  await Promise.all([computer.settled(), office.bystander.settled()]);
  for (const peer of [computer, office.bystander]) expect(peer.payloads('notify:tool_call_cancel')).toEqual([data]);
  expect([agent.payloads('notify:tool_call_cancel'), answers]).toEqual([[], [[]]]);
  agent.close();
  await using ours = await Agent.connect(office.url, { name: 'a1', office: 'o1' });
  const abort = new AbortController();
  const call = ours.callTool({ computer: 'c1', tool: 'hang' }, { signal: abort.signal });
  await eventually(() => expect(computer.payloads('client:tool_call')).toHaveLength(1));
  const [sent] = computer.payloads('client:tool_call');
  abort.abort();
  await call;
  const { req_id } = protocol.ToolCallReq.parse(sent);
  await eventually(() => expect(computer.payloads('notify:tool_call_cancel').at(-1)).toEqual({ agent: 'a1', req_id }));
});
