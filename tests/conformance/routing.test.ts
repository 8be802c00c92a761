import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { clientEvents } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { type RawOptions, RawPeer, type RecordingLogger, recordingLogger } from '@a2c-smcp/testing';
import { expect, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { verifies } from './verifies.ts';

const listen = () => SmcpServer.listen({ port: 0 });
const request = (more: object = {}) => ({ agent: 'a1', computer: 'c1', req_id: 'r1', ...more });
const toolCall = (more: object = {}) => request({ tool_name: 'echo', params: {}, timeout: 1, ...more });

async function openOffice(options?: RawOptions) {
  const server = await listen();
  const agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1', options);
  const computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1', options);
  return {
    server,
    agent,
    computer,
    async [Symbol.asyncDispose]() {
      agent.close();
      computer.close();
      await server.close();
    },
  };
}

verifies('routing.caller', async () => {
  await using office = await openOffice();
  await using outsider = await RawPeer.connect(office.server.url);
  for (const event of Object.keys(clientEvents)) {
    const body = toolCall({ agent: 'c1' });
    expect(await office.computer.ask(event, body)).toEqual([expect.objectContaining({ code: 403 })]);
    expect(await outsider.ask(event, toolCall())).toEqual([expect.objectContaining({ code: 4103 })]);
  }
});

verifies('routing.unknown-computer', async () => {
  await using office = await openOffice();
  await using _elsewhere = await RawPeer.join(office.server.url, 'computer', 'c2', 'o2');
  const [unknown] = await office.agent.ask('client:get_tools', request({ computer: 'nobody' }));
  const [foreign] = await office.agent.ask('client:get_tools', request({ computer: 'c2' }));
  expect(unknown).toMatchObject({ code: 404, message: "No computer 'nobody' in this office: it has 'c1'" });
  expect(JSON.stringify(foreign)).toBe(JSON.stringify(unknown).replaceAll('nobody', 'c2'));
  // An Agent is not a Computer, whatever its name.
  expect(await office.agent.ask('client:get_tools', request({ computer: 'a1' }))).toEqual([
    expect.objectContaining({ code: 404 }),
  ]);
});

verifies('routing.unchanged', () => checkUnchanged('websocket'), 'over WebSocket');
verifies('routing.unchanged', () => checkUnchanged('polling'), 'over HTTP long polling');

async function checkUnchanged(transport: 'websocket' | 'polling'): Promise<void> {
  await using office = await openOffice({ transports: [transport] });
  const odd = { nested: [1, null, { ключ: '值' }], big: 9007199254740991, float: 0.1, empty: '' };
  const answers = [
    [odd],
    [{ code: 4201, message: 'flat' }],
    [{ error: { code: 1, message: 'x' } }],
    ['text', 2, null],
    [],
  ];
  for (const event of Object.keys(clientEvents)) {
    for (const [index, answer] of answers.entries()) {
      office.computer.socket.once(event, (body, ack) => {
        expect(body).toEqual(toolCall({ req_id: `${event}-${index}`, extra: odd }));
        ack(...answer);
      });
      const received = await office.agent.ask(event, toolCall({ req_id: `${event}-${index}`, extra: odd }));
      expect(received).toEqual(answer);
    }
  }
}

verifies('routing.spoofing', async () => {
  await using office = await openOffice();
  for (const event of Object.keys(clientEvents)) {
    expect(await office.agent.ask(event, toolCall({ agent: 'a2' }))).toEqual([expect.objectContaining({ code: 403 })]);
  }
  expect(office.computer.payloads('client:tool_call')).toEqual([]);
});

verifies('routing.duplicate', async () => {
  await using office = await openOffice();
  const acks: ((answer: unknown) => void)[] = [];
  office.computer.socket.on('client:get_tools', (_, ack) => acks.push(ack));
  const first = office.agent.ask('client:get_tools', request());
  await eventually(() => expect(acks).toHaveLength(1));
  expect(await office.agent.ask('client:get_tools', request())).toEqual([expect.objectContaining({ code: 400 })]);
  acks[0]!({ tools: [], req_id: 'r1' });
  expect(await first).toEqual([{ tools: [], req_id: 'r1' }]);
  const again = office.agent.ask('client:get_tools', request());
  await eventually(() => expect(acks).toHaveLength(2));
  acks[1]!('second');
  expect(await again).toEqual(['second']);
});

verifies('routing.timeout.tool-call', async () => {
  await using office = await openOffice();
  const started = performance.now();
  office.agent.socket.emit('client:tool_call', toolCall(), (answer: unknown) => answered.push(answer));
  const answered: unknown[] = [];
  await eventually(() => expect(answered).toHaveLength(1));
  expect(answered).toEqual([expect.objectContaining({ code: 408 })]);
  expect(performance.now() - started).toBeGreaterThanOrEqual(5900);
});

verifies('routing.timeout.get', async () => {
  await using server = await SmcpServer.listen({ port: 0, timeout: 100 });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using _computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  for (const event of Object.keys(clientEvents).filter(name => name !== 'client:tool_call')) {
    expect(await agent.ask(event, request())).toEqual([expect.objectContaining({ code: 408 })]);
  }
});

verifies(
  'routing.timeout.get',
  async () => {
    await using office = await openOffice();
    const started = performance.now();
    const answers: unknown[] = [];
    office.agent.socket.emit('client:get_tools', request(), (answer: unknown) => answers.push(answer));
    await eventually(() => expect(answers).toEqual([expect.objectContaining({ code: 408 })]), 50_000);
    expect(performance.now() - started).toBeGreaterThanOrEqual(29_900);
    expect(performance.now() - started).toBeLessThan(45_000);
  },
  'the default is 30 seconds',
  60_000,
);

verifies('routing.computer-lost', async () => {
  await using office = await openOffice();
  const calls = [1, 2, 3].map(n => office.agent.ask('client:tool_call', toolCall({ req_id: `r${n}`, timeout: 60 })));
  await eventually(() => expect(office.computer.payloads('client:tool_call')).toHaveLength(3));
  office.computer.close();
  for (const answer of await Promise.all(calls)) {
    expect(answer).toEqual([expect.objectContaining({ code: 404, details: { reason: 'computer_disconnected' } })]);
  }
});

verifies('ack.originator-gone', async () => {
  await using office = await openOffice();
  await using bystander = await RawPeer.join(office.server.url, 'computer', 'c2', 'o1');
  const acks: ((answer: unknown) => void)[] = [];
  for (const event of ['client:get_tools', 'client:tool_call']) {
    office.computer.socket.on(event, (_, ack) => acks.push(ack));
    office.agent.socket.emit(event, toolCall({ req_id: event }), () => {});
  }
  await eventually(() => expect(acks).toHaveLength(2));
  office.agent.close();
  await eventually(() => expect(bystander.payloads('notify:leave_office')).toHaveLength(1));
  for (const ack of acks) ack({ tools: [], req_id: 'r1' });
  await office.computer.settled();
  await bystander.settled();
  expect(bystander.heard.map(([event]) => event)).toEqual(['notify:leave_office']);
  const heard = ['notify:enter_office', 'client:get_tools', 'client:tool_call', 'notify:leave_office'];
  expect(office.computer.heard.map(([event]) => event)).toEqual(heard);
  expect(office.server.health()).toMatchObject({ status: 'ok', inFlight: 0 });
});

verifies(['ack.always', 'error.bad-request'], async () => {
  await using office = await openOffice();
  const bodies = [undefined, null, 5, 'x', [], {}, { agent: 'a1' }, request({ req_id: 5 }), request({ computer: {} })];
  for (const event of Object.keys(clientEvents)) {
    for (const body of bodies) {
      expect(await office.agent.ask(event, body)).toEqual([expect.objectContaining({ code: 400 })]);
    }
  }
  for (const timeout of [undefined, null, 0, -1, '5', {}]) {
    expect(await office.agent.ask('client:tool_call', toolCall({ timeout }))).toEqual([
      expect.objectContaining({ code: 400 }),
    ]);
  }
});

verifies('ack.req-id.echo', async () => {
  await using office = await openOffice();
  const [answer] = await office.agent.ask('server:list_room', { agent: 'a1', req_id: 'list-1', office_id: 'o1' });
  expect(answer).toMatchObject({ req_id: 'list-1' });
});

verifies(
  'log.hops',
  async () => {
    const [onServer, onComputer, onAgent] = [recordingLogger(), recordingLogger(), recordingLogger()];
    await using server = await SmcpServer.listen({ port: 0, logger: onServer });
    await using computer = await Computer.open({ name: 'c1', logger: onComputer });
    await computer.join(server.url, { office: 'o1' });
    await using agent = await Agent.connect(server.url, { name: 'a1', office: 'o1', logger: onAgent });
    const failures = (logger: RecordingLogger) =>
      logger.lines
        .filter(({ fields }) => fields?.event === 'client:get_dpe')
        .map(({ level, fields }) => ({ level, ...fields }));
    await expect(agent.readDocument('c1', 'dpe://com.example.none/x')).rejects.toMatchObject({ code: 4201 });
    const req_id = onAgent.lines.at(-1)?.fields?.req_id;
    expect(req_id).toMatch(/^[0-9a-f]{32}$/);
    const line = { level: 'warn', event: 'client:get_dpe', req_id, code: 4201 };
    for (const logger of [onAgent, onServer, onComputer]) expect(failures(logger)).toEqual([line]);
    // A tool that fails is a result, which the Server only carries.
    expect(await agent.callTool({ computer: 'c1', tool: 'none' })).toMatchObject({ isError: true });
    expect(onServer.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  },
  'a 4201 of the Computer is in the logs of all three',
);

verifies(
  'log.hops',
  async () => {
    const logger = recordingLogger();
    await using server = await SmcpServer.listen({ port: 0, logger });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const payloads = [{ error: { code: 404, message: 'x' } }, { message: 'x', code: 500 }, { Err: 'NotFound: x' }];
    computer.reply('client:get_tools', ({ req_id }) => payloads[Number(req_id)]);
    for (const index of payloads.keys()) await agent.ask('client:get_tools', request({ req_id: String(index) }));
    const refused = logger.lines.filter(({ message }) => message === 'A computer refused a request');
    expect(refused.map(({ fields }) => fields?.req_id)).toEqual(['0', '1', '2']);
    await agent.ask('server:list_room', { agent: 'a1', req_id: 'r-9', office_id: 'o2' });
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { event: 'server:list_room', req_id: 'r-9', code: 4102 } }),
    );
  },
  'the Server reads errors of every dialect, and its own',
);

verifies('log.hops', async () => {
  const warn = vi.fn();
  await using server = await SmcpServer.listen({ port: 0, logger: { debug() {}, info() {}, error() {}, warn } });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await agent.ask('client:tool_call', toolCall({ req_id: 'r-77', params: { secret: 'canary' } }));
  expect(warn).toHaveBeenCalledWith('A request was refused', expect.objectContaining({ req_id: 'r-77', code: 404 }));
  expect(JSON.stringify(warn.mock.calls)).not.toContain('canary');
});
