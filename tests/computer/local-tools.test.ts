import { Computer } from '@a2c-smcp/computer';
import { textOf } from '@a2c-smcp/protocol';
import { testOffice } from '@a2c-smcp/testing';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { eventually } from '../eventually.ts';

const echo = { description: 'Repeats a text', run: ({ text }: { text?: string }) => String(text) };

describe('tools that are functions', () => {
  test('an Agent lists and calls a tool that is a function', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    await using office = await testOffice({ desk: { echo: { ...echo, schema } } });
    const [tool] = await office.agent.getTools('desk');
    expect(tool).toMatchObject({ name: 'echo', description: 'Repeats a text', params_schema: schema });
    const result = await office.agent.callTool({ computer: 'desk', tool: 'echo', params: { text: 'hi' } });
    expect(textOf(result)).toBe('hi');
    expect(office.computers.desk.status()).toMatchObject([{ name: 'local', type: 'local', state: 'ready', tools: 1 }]);
  });

  test.each([
    ['a text', 'hi', { content: [{ type: 'text', text: 'hi' }] }],
    ['an object', { a: 1 }, { content: [{ type: 'text', text: '{"a":1}' }] }],
    ['nothing', undefined, { content: [{ type: 'text', text: '' }] }],
    ['a result', { content: [{ type: 'text', text: 'x' }], isError: true }, { isError: true }],
  ])('a function that returns %s gives a result', async (_, value, result) => {
    await using computer = await Computer.open({ name: 'desk', tools: { t: { run: () => value } } });
    expect(await computer.callTool({ tool: 't' })).toMatchObject(result);
  });

  test('a function that throws, or returns a value that is not JSON, gives a failed result and harms nothing else', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const tools = {
      throws: { run: () => Promise.reject(new Error('no disk')) },
      circular: { run: () => circular },
      echo,
    };
    await using computer = await Computer.open({ name: 'desk', tools });
    const failed = await computer.callTool({ tool: 'throws' });
    expect([failed.isError, textOf(failed)]).toEqual([true, 'no disk']);
    expect(await computer.callTool({ tool: 'circular' })).toMatchObject({ isError: true });
    expect(textOf(await computer.callTool({ tool: 'echo', params: { text: 'hi' } }))).toBe('hi');
  });

  test('the signal of a function fires when its call is cancelled or times out', async () => {
    const aborted = vi.fn();
    const hang = {
      run: (_: object, { signal }: { signal: AbortSignal }) =>
        new Promise(() => signal.addEventListener('abort', () => aborted())),
    };
    await using office = await testOffice({ desk: { hang } });
    const stop = new AbortController();
    const call = office.agent.callTool({ computer: 'desk', tool: 'hang' }, { signal: stop.signal });
    await eventually(() => expect(office.server.health().inFlight).toBe(1));
    stop.abort();
    await call;
    await eventually(() => expect(aborted).toHaveBeenCalledTimes(1));
    expect(await office.computers.desk.callTool({ tool: 'hang', timeout: 50 })).toMatchObject({ isError: true });
    await eventually(() => expect(aborted).toHaveBeenCalledTimes(2));
  });

  test('functions run unasked, except those that need confirmation', async () => {
    const asked: string[] = [];
    const confirm = ({ tool }: { tool: string }) => asked.push(tool) < 0;
    const tools = { echo, wipe: { ...echo, needsConfirmation: true } };
    await using computer = await Computer.open({ name: 'desk', tools, confirm });
    expect(await computer.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
    expect(await computer.callTool({ tool: 'wipe' })).toMatchObject({ isError: true });
    expect(asked).toEqual(['wipe']);
  });

  test('the configuration that an Agent gets has no functions', async () => {
    await using office = await testOffice({ desk: { echo } });
    expect(await office.agent.getConfig('desk')).toMatchObject({ servers: {} });
  });
});

test('a server object of the official SDK is a server of the Computer, with its resources', async () => {
  const server = new McpServer({ name: 'sums', version: '1' }, { capabilities: { resources: { subscribe: true } } });
  server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  server.registerResource('total', 'window://com.example.sums/total', {}, uri => ({
    contents: [{ uri: uri.href, text: '42' }],
  }));
  await using office = await testOffice({ desk: { echo } }, { computer: { localServers: { sums: server } } });
  const { agent } = office;
  const sum = await agent.callTool({ computer: 'desk', tool: 'add', params: { a: 1, b: 2 } });
  expect(textOf(sum)).toBe('3');
  expect(await agent.getDesktop('desk')).toEqual(['window://com.example.sums/total\n\n42']);
});

test('a configured server cannot have the name of one in this process', async () => {
  const server_parameters = { command: process.execPath };
  const opening = Computer.open({
    name: 'desk',
    tools: { echo },
    servers: { local: { type: 'stdio', server_parameters } },
  });
  await expect(opening).rejects.toThrow('servers.local');
});
