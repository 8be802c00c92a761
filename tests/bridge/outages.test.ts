import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bridge, mcpServer } from '@a2c-smcp/bridge';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { openOffice, RawPeer, scriptedServer, testOffice } from '@a2c-smcp/testing';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { publishing } from '../computer/publishing.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { eventually } from '../eventually.ts';
import { ERAS, httpTransport, newClient, openBridged, textIn, toolNames, waitingTool } from './bridged.ts';

const echo = { run: ({ text }: { text?: string }) => text ?? 'nothing' };

describe.each(ERAS)('in the middle of a call of a client of the %s era', era => {
  test(`the Computer leaves, the call fails, and the next one works when it is back (${era})`, async () => {
    const wait = waitingTool();
    await using office = await openBridged({ desk: { tools: { wait, echo } } });
    const client = await office.connect(era);
    const call = client.callTool({ name: 'wait' });
    await eventually(() => expect(wait.state).toBe('running'));
    await office.computers.desk?.leave();
    const result = await call;
    expect(result.isError).toBe(true);
    const gone = await client.callTool({ name: 'echo' });
    expect(textIn(gone)).toContain('has left the office');
    await office.computers.desk?.join(office.url, { office: 'test' });
    await eventually(async () => expect(textIn(await client.callTool({ name: 'echo' }))).toBe('nothing'));
  });

  test(`the Server is killed, the call fails, and the next one works after its restart (${era})`, async () => {
    const wait = waitingTool();
    let server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const { url } = server;
    await using computer = await Computer.open({ name: 'desk', tools: { wait, echo } });
    await computer.join(url, { office: 'test' });
    await using bridge = new Bridge({ url, office: 'test', name: 'bridge' });
    const http = await bridge.listen();
    const client = newClient(era);
    await client.connect(httpTransport(http));
    const call = client.callTool({ name: 'wait' });
    await eventually(() => expect(wait.state).toBe('running'));
    await server.close();
    expect((await call).isError).toBe(true);
    expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(4);
    server = await SmcpServer.listen({ port: Number(new URL(url).port), gracePeriod: 0 });
    await eventually(async () => expect(textIn(await client.callTool({ name: 'echo' }))).toBe('nothing'));
    await client.close();
    await server.close();
  });

  test(`the MCP server exits, and the call fails with its reason (${era})`, async () => {
    const servers = { mcp: scriptedServer({ tools: ['exit', 'echo'] }) };
    await using office = await openBridged({ desk: { servers } });
    const client = await office.connect(era);
    await eventually(async () => expect(await toolNames(client)).toContain('exit'));
    expect((await client.callTool({ name: 'exit' })).isError).toBe(true);
    await eventually(async () => {
      const next = await client.callTool({ name: 'echo', arguments: { text: 'again' } });
      expect(textIn(next)).toContain('again');
    });
  });
});

test('without a Server the built-in tools are there and say why, and the office appears later', async () => {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const { url } = server;
  await server.close();
  await using bridge = new Bridge({ url, office: 'test', name: 'bridge' });
  const client = newClient('legacy');
  await client.connect(httpTransport(await bridge.listen()));
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  expect(await toolNames(client)).toEqual([]);
  expect(textIn(await client.callTool({ name: 'office' }))).toContain('cannot be used at the moment');
  expect((await client.callTool({ name: 'desktop' })).isError).toBe(true);
  expect(await client.listResources()).toMatchObject({ resources: [] });
  await using again = await SmcpServer.listen({ port: Number(new URL(url).port), gracePeriod: 0 });
  await using computer = await Computer.open({ name: 'desk', tools: { echo } });
  await computer.join(again.url, { office: 'test' });
  await eventually(() => expect(changes).toBeGreaterThan(0));
  await eventually(async () => expect(await toolNames(client)).toEqual(['echo']));
  await client.close();
});

test('a seat that a stranger holds is taken when it is free', async () => {
  await using office = await openOffice({ desk: { tools: { echo } } });
  const stranger = await RawPeer.join(office.url, 'agent', 'stranger', 'test');
  await using bridge = new Bridge({ url: office.url, office: 'test', name: 'bridge' });
  const client = newClient('modern');
  await client.connect(httpTransport(await bridge.listen()));
  expect(await toolNames(client)).toEqual([]);
  expect(textIn(await client.callTool({ name: 'office' }))).toContain('already has an agent');
  stranger.close();
  await eventually(async () => expect(await toolNames(client)).toEqual(['echo']));
  await client.close();
});

test('a Computer with thousands of odd tools does not break the list', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `tool ${index % 2 ? 'ü'.repeat(index % 90) : '.'}/${index}`);
  const servers = { mcp: scriptedServer({ tools: names }) };
  await using office = await openBridged({ desk: { servers } });
  const client = await office.connect('legacy');
  await eventually(async () => expect((await toolNames(client)).length).toBe(2000));
  const listed = await toolNames(client);
  expect(new Set(listed).size).toBe(2000);
  expect(listed.filter(name => !/^[A-Za-z0-9_-]{1,46}$/.test(name))).toEqual([]);
  const { tools } = await client.listTools();
  const wanted = tools.find(({ _meta }) => _meta?.['a2c/tool'] === names[1777]);
  const result = await client.callTool({ name: wanted?.name ?? '', arguments: { a: 1 } });
  expect(result.isError).toBeFalsy();
});

test('a Computer with enormous descriptions does not take the room of the others', async () => {
  const large = (start: number) => {
    const tools = [start, start + 1, start + 2].map(index => ({ name: `large-${index}`, '@pad': 900_000 }));
    return scriptedServer({ tools });
  };
  await using office = await openBridged({
    desk: { tools: { echo } },
    greedy: { servers: { first: large(0), second: large(3) } },
  });
  const client = await office.connect('legacy');
  await eventually(async () => expect(await toolNames(client)).toHaveLength(3));
  expect(await toolNames(client)).toContain('desk__echo');
  expect(textIn(await client.callTool({ name: 'office' }))).toContain('4 more are left out');
});

describe.each(ERAS)('a result of more than clients of the %s era accept', era => {
  const picture = Buffer.alloc(9_000_000, 7);
  const big = {
    run: ({ size }: { size?: number }) => ({
      content: [
        { type: 'text', text: 'x'.repeat(size ?? 0) },
        { type: 'image', mimeType: 'image/png', data: picture.toString('base64') },
        { type: 'text', text: 'the end' },
      ],
    }),
  };

  test(`has files in place of its largest parts, which are gone with the bridge (${era})`, async () => {
    const folder = temporaryFolder();
    await using office = await openBridged({ desk: { tools: { big } } }, { resultFiles: folder });
    const client = await office.connect(era, 'streams');
    const { content, isError } = (await client.callTool({ name: 'big', arguments: { size: 9_000_000 } })) as {
      content: { type: string; text?: string; uri?: string; mimeType?: string; size?: number }[];
      isError?: boolean;
    };
    expect(isError).toBeFalsy();
    const links = content.filter(({ type }) => type === 'resource_link');
    expect(links.map(({ mimeType, size }) => [mimeType, size])).toEqual([
      ['text/plain', 9_000_000],
      ['image/png', 9_000_000],
    ]);
    const [text = '', image = ''] = links.map(({ uri = '' }) => fileURLToPath(uri));
    expect(readFileSync(image).equals(picture)).toBe(true);
    expect(readFileSync(text, 'utf8')).toHaveLength(9_000_000);
    expect([statSync(image).mode & 0o777, statSync(dirname(image)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(content[0]?.text).toMatch(/^x{20000}\n… \(this is the beginning\)$/);
    expect(content[1]?.text).toContain(`8.6 MiB of text/plain, too large for an answer, are in the file '${text}'`);
    expect(content.at(-1)?.text).toBe('the end');
    await office.bridge.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test(`is an error where clients cannot read files, and the connection stays (${era})`, async () => {
    await using office = await openBridged({ desk: { tools: { big } } }, { resultFiles: false });
    const client = await office.connect(era, 'streams');
    const large = await client.callTool({ name: 'big', arguments: { size: 1 } });
    expect(large.isError).toBe(true);
    expect(textIn(large)).toContain('too large (11.4 MiB');
    expect((await client.listTools()).tools.length).toBeGreaterThan(4);
  });
});

test.each(ERAS)('arguments that are nested as deeply as the stack do not end a bridge (%s)', async era => {
  await using office = await openBridged({ desk: { tools: { echo } } });
  const client = await office.connect(era, 'streams');
  expect(await toolNames(client)).toEqual(['echo']);
  let nested: unknown = 'end';
  for (let depth = 0; depth < 3000; depth++) nested = [nested];
  const deep = await client.callTool({ name: 'echo', arguments: { nested } }).catch((error: unknown) => error);
  expect(deep).toSatisfy(value => value instanceof Error || (value as { isError?: boolean }).isError === true);
  expect(textIn(await client.callTool({ name: 'echo' }))).toBe('nothing');
});

test('a window of more than clients accept is an error, and the connection stays', async () => {
  const servers = { app: publishing({ windows: 1 }) };
  await using office = await openBridged({ desk: { servers } });
  const client = await office.connect('legacy', 'streams');
  await eventually(async () => expect((await client.listResources()).resources).toHaveLength(2));
  const text = 'x'.repeat(9_000_000);
  await client.callTool({ name: 'write', arguments: { uri: 'window://com.example.app/0', text } });
  await expect(client.readResource({ uri: 'a2c://desk/desktop' })).rejects.toThrow('too large');
  expect((await client.listTools()).tools.length).toBeGreaterThan(4);
});

test('an Agent of the caller becomes an MCP server, and stays open after it', async () => {
  await using office = await testOffice({ desk: { echo } });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = mcpServer(office.agent, { prefix: 'always' });
  await server.connect(far);
  const client = newClient('legacy');
  await client.connect(near);
  expect(await toolNames(client)).toEqual(['desk__echo']);
  await client.close();
  expect(office.agent.joined).toBe(true);
});
