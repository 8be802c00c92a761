import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, isCancelled } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { scripted, textOf } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { openServerOf05 } from './server-of-0.5.ts';

describe('a Server of 0.5', () => {
  test('our Agent and Computer meet, call and leave on a Server of 0.5', async () => {
    await using server = await openServerOf05();
    const log = join(temporaryFolder(), 'mcp.log');
    const s = scripted({ tools: ['echo', 'hang'], log }, { name: 's' });
    await using computer = await Computer.open({ name: 'desk', servers: { s } });
    await computer.join(server.url, { office: 'demo' });
    await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
    expect((await agent.getTools('desk')).map(({ name }) => name)).toEqual(['echo', 'hang']);
    const result = await agent.callTool({ computer: 'desk', tool: 'echo', params: { text: 'hi' } });
    expect(JSON.parse(textOf(result))).toEqual({ text: 'hi' });
    await expect(agent.getTools('elsewhere')).rejects.toMatchObject({ code: 404 });

    const abort = new AbortController();
    const call = agent.callTool({ computer: 'desk', tool: 'hang' }, { signal: abort.signal });
    await eventually(async () => expect(await readFile(log, 'utf8')).toContain('"hang"'));
    abort.abort();
    expect(isCancelled(await call)).toBe(true);

    await computer.leave();
    await expect(agent.getTools('desk')).rejects.toMatchObject({ code: 404 });
    await computer.join(server.url, { office: 'demo' });
    expect(await agent.getTools('desk')).toHaveLength(2);
  });

  test('a second Computer is refused with 4101 and the name of the office', async () => {
    await using server = await openServerOf05();
    await using first = await Computer.open({ name: 'desk', servers: {} });
    await using second = await Computer.open({ name: 'laptop', servers: {} });
    await first.join(server.url, { office: 'demo' });
    const joining = second.join(server.url, { office: 'demo' });
    await expect(joining).rejects.toMatchObject({ code: 4101, message: expect.stringContaining("'demo'") });
  });

  verifies(
    'reconnect.rejoin',
    async () => {
      await using server = await openServerOf05();
      await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
      const states: unknown[] = [];
      agent.on('connection', state => states.push(state));
      server.io.of('/smcp').disconnectSockets(true);
      await eventually(() => expect(states.at(-1)).toMatchObject({ type: 'retrying', error: { code: 4101 } }));
      server.forget();
      await eventually(() => expect(states.at(-1)).toMatchObject({ type: 'joined' }));
    },
    'a Server of 0.5 that has not noticed the loss',
  );
});

describe('clients of 0.5', () => {
  verifies(
    'version.lines',
    async () => {
      await using server = await SmcpServer.listen({ port: 0 });
      const connect = () => RawPeer.connect(server.url, { query: { a2c_version: '0.5.0' } });
      const identity = { agent: 'assistant', req_id: 'r1', computer: 'desk' };
      const call = { ...identity, tool_name: 'hang', params: {}, timeout: 20 };
      await using agent = await connect();
      expect(await agent.ask('client:get_tools', identity)).toMatchObject([{ code: 4103 }]);
      expect(await agent.enter('agent', 'assistant', 'demo')).toEqual([]);
      expect(await agent.ask('client:get_tools', identity)).toMatchObject([{ code: 404 }]);

      await using computer = await connect();
      expect(await computer.enter('computer', 'desk', 'demo')).toEqual([]);
      expect(await computer.ask('client:get_tools', identity)).toMatchObject([{ code: 403 }]);
      expect(await agent.ask('client:tool_call', { ...identity, tool_name: 7 })).toMatchObject([{ code: 400 }]);

      // The Agent keeps waiting for the answer of the Computer, which ends the call when it is told to.
      const answers: ((result: unknown) => void)[] = [];
      computer.socket.on('client:tool_call', (_, ack) => answers.push(ack));
      const cancelled = { content: [], isError: true, meta: { a2c_cancelled: true } };
      computer.socket.on('notify:tool_call_cancel', () => answers[0]?.(cancelled));
      const waiting = agent.ask('client:tool_call', call);
      await eventually(() => expect(answers).toHaveLength(1));
      agent.socket.emit('server:tool_call_cancel', { agent: 'assistant', req_id: 'r1' });
      expect(await waiting).toEqual([cancelled]);
      expect(await agent.leave('anywhere')).toEqual([]);
      expect(await agent.leave('anywhere')).toEqual([]);
    },
    'an Agent and a Computer of 0.5 work with each other',
  );
});
