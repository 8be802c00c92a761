import type { BridgeOptions } from '@a2c-smcp/bridge';
import { Computer, type LocalTool } from '@a2c-smcp/computer';
import { scriptedServer } from '@a2c-smcp/testing';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { streamTransport } from '../streams.ts';
import { ERAS, type Era, openBridged, textIn, toolNames, WAYS, type Way, waitingTool } from './bridged.ts';

const echo = { run: ({ text }: { text?: string }) => text ?? 'nothing' };
const kinds = ERAS.flatMap(era => WAYS.map((way): [Era, Way] => [era, way]));

test('500 tools are listed in less than 50 ms', async () => {
  const described = { ...echo, description: 'Echoes a text. '.repeat(10), schema: { type: 'object' } };
  const tools = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`echo_${index}`, described]));
  await using office = await openBridged({ desk: { tools } });
  const client = await office.connect('legacy', 'streams');
  await eventually(async () => expect((await client.listTools()).tools).toHaveLength(504));
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const begun = performance.now();
    await client.listTools();
    times.push(performance.now() - begun);
  }
  // The best of ten, since the machine may be busy.
  expect(Math.min(...times)).toBeLessThan(50);
});

describe.each(kinds)('a client of the %s era by %s', (era, way) => {
  test(`lists and calls the tools of a Computer (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: { tools: { echo } } });
    const client = await office.connect(era, way);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['desktop', 'echo', 'find_documents', 'office', 'read_document']);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    expect(result.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(textIn(await client.callTool({ name: 'office' }))).toContain("computer 'desk': 1 tools");
    expect(client.getInstructions()).toContain('office');
    expect(client.getInstructions()?.length).toBeLessThan(2048);
  });

  test(`is notified when a Computer enters and leaves (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: { tools: { echo } } });
    await using other = await Computer.open({ name: 'laptop', tools: { echo } });
    const client = await office.connect(era, way);
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
    expect(await toolNames(client)).toEqual(['echo']);
    if (era === 'modern') await client.listen({ toolsListChanged: true });
    await other.join(office.url, { office: 'test' });
    await eventually(() => expect(changes).toBeGreaterThan(0));
    await eventually(async () => expect(await toolNames(client)).toEqual(['echo', 'laptop__echo']));
    const before = changes;
    await other.leave();
    await eventually(() => expect(changes).toBeGreaterThan(before));
    expect(await toolNames(client)).toEqual(['echo']);
    const gone = await client.callTool({ name: 'laptop__echo' });
    expect(gone.isError).toBe(true);
    expect(textIn(gone)).toContain('has left the office');
  });

  test(`cancels a call at the Computer (${era}, ${way})`, async () => {
    const wait = waitingTool();
    await using office = await openBridged({ desk: { tools: { wait } } });
    const client = await office.connect(era, way);
    const stop = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: stop.signal });
    await eventually(() => expect(wait.state).toBe('running'));
    stop.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(wait.state).toBe('cancelled'));
  });

  test(`gets the progress of a tool, and a heartbeat while there is none (${era}, ${way})`, async () => {
    const slow: LocalTool = {
      run(_, { progress }) {
        setTimeout(() => progress({ progress: 0, total: 2, message: 'half' }), 5400);
        return new Promise(resolve => setTimeout(() => resolve('done'), 6000));
      },
    };
    await using office = await openBridged({ desk: { tools: { slow } } });
    const client = await office.connect(era, way);
    const reports: { progress: number; message?: string | undefined }[] = [];
    const call = client.callTool({ name: 'slow' }, { onprogress: report => void reports.push(report) });
    expect(textIn(await call)).toBe('done');
    expect(reports.map(({ message }) => message)).toEqual(['Running for 5 s', 'half']);
    expect(reports[1]).toMatchObject({ total: 2 });
    // MCP wants every report to be above the last.
    expect(reports[1]?.progress).toBeGreaterThan(reports[0]?.progress ?? 0);
  });
});

describe.each(kinds)('results for a client of the %s era by %s', (era, way) => {
  const odd = {
    content: [
      { type: 'text', text: 'a', later: 1 },
      { type: 'hologram', beam: [1, 2] },
      { type: 'image', data: 'no base64!', mimeType: 'image/png', annotations: { priority: 7 } },
    ],
    structuredContent: { anything: [1] },
    later: { than: 'this SDK' },
  };

  test(`pass through untouched (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: { servers: { mcp: scriptedServer({ tools: ['odd'] }) } } });
    const client = await office.connect(era, way);
    await eventually(async () => expect(await toolNames(client)).toEqual(['odd']));
    const raw = await rawCall(office.http, era, 'odd', { result: odd });
    expect(raw).toMatchObject(odd);
  });

  test(`cannot ask the client for input in the name of the bridge (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: { servers: { mcp: scriptedServer({ tools: ['odd'] }) } } });
    const client = await office.connect(era, way);
    await eventually(async () => expect(await toolNames(client)).toEqual(['odd']));
    const result = { content: [], resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } };
    const raw = await rawCall(office.http, era, 'odd', { result });
    expect(raw).not.toHaveProperty('inputRequests');
    expect(raw.resultType).toBe(era === 'modern' ? 'complete' : undefined);
  });

  test(`of a failed tool and of an unknown tool differ (${era}, ${way})`, async () => {
    const fail = {
      run: () => {
        throw new Error('no paper');
      },
    };
    await using office = await openBridged({ desk: { tools: { fail } } });
    const client = await office.connect(era, way);
    const failed = await client.callTool({ name: 'fail' });
    expect(failed.isError).toBe(true);
    expect(textIn(failed)).toContain('no paper');
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });
});

test('a client at streams may use an id twice, send half a call, and leave in the middle of another', async () => {
  const wait = waitingTool();
  await using office = await openBridged({ desk: { tools: { echo, wait } } });
  const answers: unknown[] = [];
  const transport = streamTransport(streams => office.bridge.serve(streams).closed);
  transport.onmessage = message => answers.push(message);
  await transport.start();
  const send = (method: string, params: Record<string, unknown>, id?: number) =>
    transport.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params } as JSONRPCMessage);
  const clientInfo = { name: 'raw', version: '1' };
  await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 0);
  await eventually(() => expect(answers).toHaveLength(1));
  await send('notifications/initialized', {});
  await send('tools/call', { name: 'wait' }, 1);
  await eventually(() => expect(wait.state).toBe('running'));
  await send('tools/call', { name: 'echo', arguments: { text: 'second' } }, 1);
  await send('tools/call', { arguments: {} }, 2);
  await send('notifications/cancelled', { requestId: 99 });
  await eventually(() => expect(answers).toHaveLength(3));
  expect(answers.slice(1)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: 1,
        result: expect.objectContaining({ content: [{ type: 'text', text: 'second' }] }),
      }),
      expect.objectContaining({ id: 2, error: expect.anything() }),
    ]),
  );
  await transport.close();
  await eventually(() => expect(wait.state).toBe('cancelled'));
});

describe('what clients see of an office', () => {
  const tools = {
    look: { run: () => 'seen', annotations: { readOnlyHint: true } },
    write: { run: () => 'written' },
    write_all: { run: () => 'written' },
  };

  test('several Computers have prefixed tools, and each call reaches its Computer', async () => {
    const named = (name: string) => ({ tools: { who: { run: () => name } } });
    await using office = await openBridged({ desk: named('desk'), laptop: named('laptop') });
    const client = await office.connect('legacy');
    expect(await toolNames(client)).toEqual(['desk__who', 'laptop__who']);
    expect(textIn(await client.callTool({ name: 'desk__who' }))).toBe('desk');
    expect(textIn(await client.callTool({ name: 'laptop__who' }))).toBe('laptop');
  });

  test.each<[BridgeOptions, string[]]>([
    [{ readOnly: true }, ['look']],
    [{ tools: ['write*'] }, ['write', 'write_all']],
    [{ tools: ['write'] }, ['write']],
    [{ tags: ['none'] }, []],
    [{ prefix: 'always' }, ['desk__look', 'desk__write', 'desk__write_all']],
    [{ computers: ['elsewhere'] }, []],
  ])('with %j clients see the tools %j', async (options, expected) => {
    await using office = await openBridged({ desk: { tools } }, options);
    const client = await office.connect('legacy');
    expect(await toolNames(client)).toEqual(expected);
    if (!expected.includes('write')) await expect(client.callTool({ name: 'write' })).rejects.toThrow('Unknown tool');
  });

  test('the tool office says what is hidden and what is absent', async () => {
    await using office = await openBridged(
      { desk: { tools }, other: { tools } },
      { readOnly: true, computers: ['desk', 'tower'] },
    );
    const client = await office.connect('legacy');
    const text = textIn(await client.callTool({ name: 'office' }));
    expect(text).toContain("computer 'desk': 1 tools");
    expect(text).toContain('2 more are hidden');
    expect(text).toContain('1 more computers are hidden');
    expect(text).toContain("Not here: 'tower'");
    expect(text).not.toContain("'other'");
  });

  test('a tool with the name of a built-in tool is prefixed, and both can be called', async () => {
    await using office = await openBridged({ desk: { tools: { desktop: { run: () => 'mine' } } } });
    const client = await office.connect('legacy');
    expect(await toolNames(client)).toEqual(['desk__desktop']);
    expect(textIn(await client.callTool({ name: 'desk__desktop' }))).toBe('mine');
    expect(textIn(await client.callTool({ name: 'desktop' }))).toContain('Desktop of computer');
  });

  test('title, icons, annotations, schemas and metadata of a tool are passed on', async () => {
    const tool = {
      name: 'sum',
      title: 'Sum',
      description: 'Adds',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
      annotations: { title: 'Add up', readOnlyHint: true, idempotentHint: true },
      icons: [{ src: 'https://example.com/sum.png', sizes: ['16x16'] }],
      _meta: { 'example.com/limits': { max: 5 }, 'example.com/note': 'text' },
    };
    await using office = await openBridged({ desk: { servers: { mcp: scriptedServer({ tools: [tool] }) } } });
    const client = await office.connect('legacy');
    await eventually(async () => expect(await toolNames(client)).toEqual(['sum']));
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'sum')).toMatchObject(tool);
  });

  test('malformed annotations of one tool do not hide the others', async () => {
    const broken = { run: () => '', annotations: { readOnlyHint: 'yes', title: 5, custom: { a: 1 } } };
    await using office = await openBridged({ desk: { tools: { broken, echo } } });
    const client = await office.connect('legacy');
    expect(await toolNames(client)).toEqual(['broken', 'echo']);
  });

  test.each(ERAS)('malformed schemas and icons of tools do not hide the others from a client (%s)', async era => {
    const schemas = [
      ...[{ properties: null }, { properties: [] }, { properties: 'x' }, { properties: { a: true, b: false, c: 5 } }],
      ...[{ required: null }, { required: 'a' }, { required: [5] }, { $schema: 5 }, { type: 'string' }],
    ];
    const icons = [{ src: 'x', sizes: '16x16' }, { src: 'x', mimeType: 5 }, { src: 'x', theme: 'odd' }, { src: 5 }, 5];
    const tools = [
      ...schemas.map(schema => ({ inputSchema: { type: 'object', ...schema } })),
      ...schemas.map(schema => ({ inputSchema: { type: 'object' }, outputSchema: { type: 'object', ...schema } })),
      ...icons.map(icon => ({ inputSchema: { type: 'object' }, icons: [icon] })),
    ].map((tool, index) => ({ name: `odd_${index + 10}`, ...tool }));
    await using office = await openBridged({ desk: { servers: { mcp: scriptedServer({ tools }) }, tools: { echo } } });
    const client = await office.connect(era);
    await eventually(async () =>
      expect(await toolNames(client)).toEqual(['echo', ...tools.map(({ name }) => name)].toSorted()),
    );
    const listed = (await client.listTools()).tools.find(({ name }) => name === 'odd_13');
    expect(listed?.inputSchema.properties).toEqual({ a: {}, b: { not: {} }, c: {} });
  });
});

/** Calls a tool without the client's validation, in a session of its own. */
async function rawCall(
  { url, token }: { url: string; token: string },
  era: Era,
  name: string,
  args: object,
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (body: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) });
  const clientInfo = { name: 'raw', version: '1' };
  let meta = {};
  if (era === 'legacy') {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const opened = await post({ id: 1, method: 'initialize', params });
    headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
    await opened.text();
    await post({ method: 'notifications/initialized' });
  } else {
    Object.assign(headers, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name });
    const prefix = 'io.modelcontextprotocol';
    meta = {
      _meta: {
        [`${prefix}/protocolVersion`]: '2026-07-28',
        [`${prefix}/clientInfo`]: clientInfo,
        [`${prefix}/clientCapabilities`]: {},
      },
    };
  }
  const answer = await post({ id: 2, method: 'tools/call', params: { name, arguments: args, ...meta } });
  const text = await answer.text();
  const [, data = text] = /^data: (\{.*\})$/m.exec(text) ?? [];
  const { result, error } = JSON.parse(data);
  if (error) throw new Error(JSON.stringify(error));
  return result;
}
