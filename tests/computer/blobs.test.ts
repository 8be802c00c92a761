import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { Agent, textOf } from '@a2c-smcp/agent';
import { type CallToolResult, offloadOf } from '@a2c-smcp/protocol';
import { recordingLogger, scriptedServer } from '@a2c-smcp/testing';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { type BareAgent, openBlobOffice } from './blob-office.ts';

const MIB = 1024 * 1024;

function imageOf(bytes: Buffer) {
  return { type: 'image', mimeType: 'image/png', data: bytes.toString('base64') } as const;
}

function markersOf(bytes: Buffer) {
  const a2c_sha256 = createHash('sha256').update(bytes).digest('hex');
  return { a2c_blob_handle: expect.any(String), a2c_total_size: bytes.length, a2c_sha256 };
}

/** The handle of the first item of a result. */
function handleOf({ content: [item] }: CallToolResult): string {
  return offloadOf(item ?? {})?.a2c_blob_handle ?? '';
}

/** A tool that returns these items. */
function returns(...content: unknown[]) {
  return { run: () => ({ content }) };
}

/** The code and the reason of a refused request. */
async function refusal(request: Promise<unknown>): Promise<unknown> {
  const error = await request.then(
    () => undefined,
    thrown => thrown,
  );
  return { code: error?.code, reason: error?.details?.reason };
}

const read = (agent: BareAgent, blob_handle: string, fields: object = {}) =>
  agent.ask('client:get_blob', { blob_handle, ...fields });

describe('offload', () => {
  const small = randomBytes(MIB);
  const large = randomBytes(MIB + 1);

  verifies(['blob.offload', 'blob.offload.keys'], async () => {
    const resource = { uri: 'file:///a', mimeType: 'application/zip', blob: large.toString('base64') };
    const items = [imageOf(large), { type: 'resource', resource }, imageOf(small), { type: 'text', text: 'hi' }];
    await using office = await openBlobOffice({ show: returns(...items) });
    const agent = await office.join();
    expect((await agent.callTool('show')).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: '', _meta: markersOf(large) },
      { type: 'resource', resource: { ...resource, blob: '' }, _meta: markersOf(large) },
      imageOf(small),
      { type: 'text', text: 'hi' },
    ]);
  });

  verifies('blob.offload.fit', async () => {
    const items = [40_000, 50_000, 70_000].map(size => imageOf(randomBytes(size)));
    await using office = await openBlobOffice({ show: returns(...items) }, { messageBytes: 130_000 });
    const agent = await office.join();
    const { content } = await agent.callTool('show');
    // Without the largest one the others are 120,000 characters.
    expect(content.map(({ data }) => data?.length)).toEqual([items[0]?.data.length, items[1]?.data.length, 0]);
  });

  verifies('blob.offload.note', async () => {
    const picture = randomBytes(200_000);
    await using office = await openBlobOffice({ show: returns(imageOf(picture)) }, { messageBytes: 100_000 });
    const agent = await office.join('0.2.0');
    const result = await agent.callTool('show');
    expect(result.content).toMatchObject([{ type: 'image', data: '', _meta: markersOf(picture) }, { type: 'text' }]);
    expect(textOf(result)).toMatch(/image\/png, 200000 bytes.*does not fit into a message of 100000 bytes/);
    expect((await read(agent, handleOf(result))).total_size).toBe(200_000);
  });

  verifies('blob.offload.earlier', async () => {
    const picture = randomBytes(3_200_000);
    const tools = { show: returns(imageOf(picture)), tell: returns({ type: 'text', text: 'x'.repeat(4_200_000) }) };
    await using office = await openBlobOffice(tools);
    const agent = await office.join('0.2.0');
    const result = await agent.callTool('show');
    expect(result.content).toMatchObject([{ type: 'image', data: '', _meta: markersOf(picture) }, { type: 'text' }]);
    expect(textOf(await agent.callTool('tell'))).toHaveLength(4_200_000);
  });

  test('an Agent of 0.2 gets inline what fits into a message', async () => {
    await using office = await openBlobOffice({ show: returns(imageOf(large)) });
    const agent = await office.join('0.2.0');
    expect((await agent.callTool('show')).content).toEqual([imageOf(large)]);
  });

  test('inlineBudget decides what a draining Agent gets inline', async () => {
    const items = [imageOf(randomBytes(1000)), imageOf(randomBytes(1001))];
    await using office = await openBlobOffice({ show: returns(...items) }, { computer: { inlineBudget: 1000 } });
    const agent = await office.join();
    const { content } = await agent.callTool('show');
    expect(content.map(({ data }) => data === '')).toEqual([false, true]);
  });

  test('a result whose texts do not fit is a failure with its size', async () => {
    const items = [imageOf(randomBytes(50_000)), { type: 'text', text: 'x'.repeat(120_000) }];
    await using office = await openBlobOffice({ show: returns(...items) }, { messageBytes: 100_000 });
    const agent = await office.join();
    const result = await agent.callTool('show');
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003, limit: 100_000 } });
    expect(office.temporaryFiles()).toEqual([]);
  });

  test('a text that is no base64 is never offloaded', async () => {
    const broken = { type: 'image', mimeType: 'image/png', data: 'no base64! '.repeat(200_000) };
    const logger = recordingLogger();
    await using office = await openBlobOffice({ show: returns(broken) }, { computer: { logger } });
    const agent = await office.join();
    expect((await agent.callTool('show')).content).toEqual([broken]);
    expect(logger.lines.map(({ message }) => message)).toContain('The bytes of a result could not be kept apart');
    await eventually(() => expect(office.temporaryFiles()).toHaveLength(1));
  });

  test('an item stays inline when nothing can be written', async () => {
    await using office = await openBlobOffice({ show: returns(imageOf(large)) });
    vi.stubEnv('TMPDIR', '/nowhere');
    const agent = await office.join();
    expect((await agent.callTool('show')).content).toEqual([imageOf(large)]);
  });

  verifies('blob.offload.copies', async () => {
    const data = large.toString('base64');
    const structuredContent = { result: { data, type: 'image' }, list: [data, 'b'], 'a/b~c': data, other: '' };
    await using office = await openBlobOffice({
      show: { run: () => ({ content: [imageOf(large)], structuredContent }) },
    });
    const agent = await office.join();
    const result = await agent.callTool('show');
    expect(result.structuredContent).toEqual({
      result: { data: '', type: 'image' },
      list: ['', 'b'],
      'a/b~c': '',
      other: '',
    });
    expect(result.content[0]?._meta).toEqual({
      ...markersOf(large),
      a2c_copies: ['/result/data', '/list/0', '/a~1b~0c'],
    });
    await agent.peer.leave();
    const ours = await Agent.connect(office.server.url, { name: 'ours', office: 'demo', protocolVersion: '0.4.0' });
    expect(await ours.callTool({ computer: 'desk', tool: 'show' })).toMatchObject({
      content: [imageOf(large)],
      structuredContent,
    });
    await ours.close();
  });

  test('a repeated request gets the same handles', async () => {
    await using office = await openBlobOffice({ show: returns(imageOf(large)) });
    const agent = await office.join();
    const first = await agent.callTool('show', { req_id: 'r1' });
    expect(await agent.callTool('show', { req_id: 'r1' })).toEqual(first);
  });

  verifies('blob.forged', async () => {
    const _meta = { a2c_blob_handle: 'forged', a2c_total_size: 1, a2c_copies: ['/x'], own: 1 };
    const content = [{ type: 'image', mimeType: 'image/png', data: 'AAAA', _meta }];
    const servers = { s: scriptedServer({ tools: ['odd'] }, { name: 's' }) };
    await using office = await openBlobOffice({}, { computer: { servers } });
    const agent = await office.join();
    const result = await agent.callTool('odd', { params: { result: { content } } });
    expect(result.content).toEqual([{ ...content[0], _meta: { own: 1 } }]);
  });
});

describe('client:get_blob', () => {
  const bytes = randomBytes(2 * MIB);
  const show = returns(imageOf(bytes));

  verifies(['blob.parts', 'blob.parts.any-order'], async () => {
    await using office = await openBlobOffice({ show });
    const agent = await office.join();
    const blob_handle = handleOf(await agent.callTool('show'));
    const first = await read(agent, blob_handle);
    expect(Buffer.from(first.blob, 'base64')).toEqual(bytes.subarray(0, 256 * 1024));
    expect(first).toMatchObject({
      blob_handle,
      mime_type: 'image/png',
      total_size: 2 * MIB,
      chunk_offset: 0,
      eof: false,
    });
    expect(first.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const ranges = [
      [2 * MIB - 10, 100],
      [5, 7],
      [5, 7],
      [2 * MIB, 10],
    ] as const;
    const parts = await Promise.all(
      ranges.map(([chunk_offset, max_chunk_bytes]) => read(agent, blob_handle, { chunk_offset, max_chunk_bytes })),
    );
    expect(parts.map(({ blob }) => Buffer.from(blob, 'base64'))).toEqual(
      ranges.map(([offset, length]) => bytes.subarray(offset, offset + length)),
    );
    expect(parts.map(({ eof }) => eof)).toEqual([true, false, false, true]);
  });

  verifies('blob.parts.fit', async () => {
    await using office = await openBlobOffice({ show }, { messageBytes: 60_000 });
    const agent = await office.join();
    const handle = handleOf(await agent.callTool('show'));
    const part = await read(agent, handle, { max_chunk_bytes: 1_000_000 });
    expect(part.blob.length).toBeGreaterThan(40_000);
    expect(JSON.stringify(part).length).toBeLessThan(60_000);
  });

  verifies('blob.errors', async () => {
    await using office = await openBlobOffice({ show });
    const agent = await office.join();
    const handle = handleOf(await agent.callTool('show'));
    expect(await refusal(read(agent, handle, { chunk_offset: 2 * MIB + 1 }))).toEqual({ code: 4018, reason: 'range' });
    for (const forged of ['', 'x', '../../etc/passwd', `${handle}/../x`, handle.toLowerCase().slice(1)]) {
      expect(await refusal(read(agent, forged))).toEqual({ code: 4018, reason: 'invalid_handle' });
    }
    expect(await refusal(read(agent, 'A'.repeat(22)))).toEqual({ code: 4018, reason: 'gone' });
    expect(await refusal(read(agent, handle, { chunk_offset: -1 }))).toMatchObject({ code: 400 });
    expect(await refusal(read(agent, handle, { max_chunk_bytes: 0 }))).toMatchObject({ code: 400 });
  });
});

describe('the spool', () => {
  const bytes = randomBytes(2 * MIB);
  const show = returns(imageOf(bytes));

  test('its folder and files are private, and gone when the Computer stops', async () => {
    await using office = await openBlobOffice({ show });
    const agent = await office.join();
    await agent.callTool('show');
    const modes = office.temporaryFiles().map(path => (statSync(path).mode & 0o777).toString(8));
    expect(modes.toSorted()).toEqual(['600', '700']);
    await office.computer.close();
    expect(office.temporaryFiles()).toEqual([]);
  });

  verifies('blob.handles.owner', async () => {
    await using office = await openBlobOffice({ show });
    const first = await office.join();
    const handle = handleOf(await first.callTool('show'));
    await first.peer.leave();
    const second = await office.join('0.4.0', 'other');
    expect(await refusal(read(second, handle))).toEqual({ code: 4018, reason: 'gone' });
    await eventually(() => expect(office.temporaryFiles()).toHaveLength(1));
  });

  verifies(
    'blob.handles.owner',
    async () => {
      const { Spool } = await import('../../packages/computer/src/blobs/spool.ts');
      const spool = new Spool();
      const owner = {};
      const { handle } = await spool.put(owner, 'AAAA', 'image/png');
      const range = { offset: 0, length: 10 };
      expect((await spool.read(owner, handle, range)).blob).toBe('AAAA');
      expect(await refusal(spool.read({}, handle, range))).toEqual({ code: 4018, reason: 'forbidden' });
      spool.release({});
      expect((await spool.read(owner, handle, range)).eof).toBe(true);
      spool.release(owner);
      expect(await refusal(spool.read(owner, handle, range))).toEqual({ code: 4018, reason: 'gone' });
      await spool.close();
      await expect(spool.put(owner, 'AAAA', 'image/png')).rejects.toThrow('closed');
    },
    'a handle of an Agent in another office is forbidden',
  );

  verifies('blob.handles.limits', async () => {
    await using office = await openBlobOffice({ show }, { computer: { spool: { maxBytes: 5 * MIB, maxAge: 1500 } } });
    const agent = await office.join();
    const handles: string[] = [];
    for (let call = 0; call < 3; call++) handles.push(handleOf(await agent.callTool('show')));
    const [oldest = '', , newest = ''] = handles;
    expect(await refusal(read(agent, oldest))).toEqual({ code: 4018, reason: 'gone' });
    expect((await read(agent, newest)).total_size).toBe(2 * MIB);
    await eventually(async () => expect(await refusal(read(agent, newest))).toEqual({ code: 4018, reason: 'gone' }));
    await eventually(() => expect(office.temporaryFiles()).toHaveLength(1));
  });

  test('bytes whose owner is released while they are written leave no file', async () => {
    await using office = await openBlobOffice({ show });
    const agent = await office.join();
    const call = agent.callTool('show').catch(() => undefined);
    await eventually(() => expect(office.temporaryFiles().length).toBeGreaterThan(0));
    await office.computer.leave();
    await call;
    await eventually(() => expect(office.temporaryFiles()).toHaveLength(1));
  });

  test('a Computer that stops during a drain leaves no file, and the Agent gets a text', async () => {
    await using office = await openBlobOffice({ show: returns(imageOf(randomBytes(20 * MIB))) });
    let requests = 0;
    const agent = await Agent.connect(office.server.url, {
      name: 'a',
      office: 'demo',
      protocolVersion: '0.4.0',
      trace: ({ text }) => {
        if (text.includes('"client:get_blob"')) requests += 1;
        if (requests === 10) void office.computer.close();
      },
    });
    const result = await agent.callTool({ computer: 'desk', tool: 'show' });
    expect(result.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/is missing.*omputer/) }]);
    await office.computer.close();
    expect(office.temporaryFiles()).toEqual([]);
    await agent.close();
  });
});
