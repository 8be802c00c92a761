import { createHash, randomBytes } from 'node:crypto';
import { type CallToolResult, isCancelled } from '@a2c-smcp/agent';
import { anthropicTools } from '@a2c-smcp/agent/anthropic';
import { expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { type Office, type OfficeOptions, openOffice } from './office.ts';

const picture = randomBytes(600_000);

function markers(bytes: Uint8Array, handle = 'h1') {
  const a2c_sha256 = createHash('sha256').update(bytes).digest('hex');
  return { a2c_blob_handle: handle, a2c_total_size: bytes.length, a2c_sha256 };
}

/** An office whose Computer answers a call with `result` and has `picture` behind `h1`. */
async function officeWith(result: CallToolResult, agent?: OfficeOptions['agent']): Promise<Office> {
  const office = await openOffice({ tools: { show: () => result }, ...(agent && { agent }) });
  office.computer.blobs.set('h1', picture);
  return office;
}

const image = { type: 'image', data: '', mimeType: 'image/png', _meta: { ...markers(picture), own: 1 } } as const;
const offloaded: CallToolResult = { content: [image] };
const show = { computer: 'desk', tool: 'show' };

verifies(['blob.drain', 'blob.drain.order'], async () => {
  const resource = { uri: 'file:///a', mimeType: 'application/zip', blob: '' };
  await using office = await officeWith({
    content: [
      { type: 'text', text: 'first' },
      image,
      { type: 'audio', data: '', mimeType: 'audio/wav', _meta: markers(picture) },
      { type: 'resource', resource, _meta: markers(picture) },
    ],
  });
  const data = picture.toString('base64');
  expect(await office.agent.callTool(show)).toEqual({
    content: [
      { type: 'text', text: 'first' },
      { type: 'image', data, mimeType: 'image/png', _meta: { own: 1 } },
      { type: 'audio', data, mimeType: 'audio/wav' },
      { type: 'resource', resource: { ...resource, blob: data } },
    ],
  });
});

verifies('blob.part-size', async () => {
  await using office = await openOffice({
    tools: { show: () => offloaded },
    server: { limits: { messageBytes: 100_000 } },
  });
  office.computer.blobs.set('h1', picture);
  const result = await office.agent.callTool(show);
  expect(result.content[0]?.data).toBe(picture.toString('base64'));
  for (const { max_chunk_bytes } of office.computer.askedFor('client:get_blob')) {
    expect(((max_chunk_bytes ?? 0) * 4) / 3).toBeLessThan(100_000);
  }
});

test('a drain with few parts in flight takes parts that are shorter than asked for', async () => {
  await using office = await officeWith(offloaded);
  const { computer } = office;
  computer.partBytes = 10_000;
  let inFlight = 0;
  let most = 0;
  computer.alterPart = async part => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise(resolve => setTimeout(resolve, 1));
    inFlight -= 1;
    // Every part but the first is half as long as that one.
    return part.chunk_offset === 0 ? part : { ...part, blob: part.blob.slice(0, 6668), eof: false };
  };
  const result = await office.agent.callTool(show);
  expect(result.content[0]?.data).toBe(picture.toString('base64'));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});

verifies('blob.drift', async () => {
  await using office = await officeWith(offloaded);
  const { computer } = office;
  let changes = 2;
  computer.alterPart = part => {
    if (part.chunk_offset === 0 || changes === 0) return part;
    changes -= 1;
    return { ...part, sha256: '0'.repeat(64) };
  };
  const restarts = () => computer.askedFor('client:get_blob').filter(({ chunk_offset }) => chunk_offset === 0).length;
  const result = await office.agent.callTool(show);
  expect(result.content[0]?.data).toBe(picture.toString('base64'));
  expect(restarts()).toBeGreaterThan(1);

  changes = 1000;
  const before = restarts();
  const changed = await office.agent.callTool(show);
  expect(changed.content).toMatchObject([{ type: 'text', text: expect.stringContaining('changed while') }]);
  expect(restarts() - before).toBe(3);
});

verifies('blob.missing', async () => {
  await using office = await officeWith(offloaded);
  office.computer.blobs.clear();
  const result = await office.agent.callTool(show);
  const [item] = result.content;
  expect(item).toMatchObject({ type: 'text', _meta: markers(picture) });
  expect(item?.text).toMatch(/The image \(image\/png, 600000 bytes\) is missing.*It is gone/);
});

test.each<[string, RegExp, (office: Office) => void]>([
  [
    'whose bytes do not match their sum',
    /SHA-256/,
    ({ computer }) => {
      computer.alterPart = part => ({ ...part, blob: Buffer.alloc(part.blob.length * 0.75).toString('base64') });
    },
  ],
  [
    'whose part is no base64',
    /no base64/,
    ({ computer }) => {
      computer.alterPart = part => ({ ...part, blob: '!!!!' });
    },
  ],
  [
    'whose part is empty',
    /is empty/,
    ({ computer }) => {
      computer.alterPart = part => ({ ...part, blob: '' });
    },
  ],
  [
    'whose part is too long',
    /too long/,
    ({ computer }) => {
      computer.alterPart = part => ({ ...part, blob: 'AAAA'.repeat(300_000) });
    },
  ],
  [
    'whose part is another one',
    /begins at 5/,
    ({ computer }) => {
      computer.alterPart = part => ({ ...part, chunk_offset: 5 });
    },
  ],
  [
    'that is not the announced one',
    /changed/,
    ({ computer }) => {
      computer.blobs.set('h1', randomBytes(600_000));
    },
  ],
  [
    'that no Computer answers for',
    /disconnected/,
    ({ computer }) => {
      computer.alterPart = async part => {
        await computer.close();
        return part;
      };
    },
  ],
])('an item %s becomes a text', async (_, reason, spoil) => {
  await using office = await officeWith(offloaded);
  spoil(office);
  const { content } = await office.agent.callTool(show);
  expect(content).toMatchObject([{ type: 'text', text: expect.stringMatching(reason) }]);
});

test('an item that a model would get without bytes is a text for the model', async () => {
  await using office = await officeWith({ content: [{ type: 'image', data: '', mimeType: 'image/png' }] });
  const kit = anthropicTools(office.agent);
  expect(kit.tools).toHaveLength(1);
  const results = await kit.run([{ type: 'tool_use', id: '1', name: 'show', input: {} }]);
  expect(JSON.stringify(results)).toContain('[image of type image/png]');
  expect(JSON.stringify(results)).not.toContain('"type":"image"');
});

verifies('blob.cap', async () => {
  const content = Array(3).fill(image);
  await using office = await officeWith({ content }, { maxBlobBytes: 1_500_000 });
  const result = await office.agent.callTool(show);
  const missing = result.content.filter(({ type }) => type === 'text');
  expect(missing).toMatchObject([{ text: expect.stringContaining("600000 bytes, and 'maxBlobBytes' allows 1500000") }]);
  expect(result.content.filter(({ data }) => data === picture.toString('base64'))).toHaveLength(2);
});

test('thousands of handles in one result are read up to a number', async () => {
  const item = { type: 'image', data: '', mimeType: 'image/png', _meta: { a2c_blob_handle: 'h2' } };
  await using office = await officeWith({ content: Array(3000).fill(item) });
  office.computer.blobs.set('h2', Buffer.from('ab'));
  const { content } = await office.agent.callTool(show);
  expect(content.filter(({ data }) => data === 'YWI=')).toHaveLength(1000);
  expect(content.filter(({ type }) => type === 'text')).toHaveLength(2000);
});

verifies('blob.copies', async () => {
  const copies = ['/result/data', '/list/1', '/kept', '/none', '/__proto__/x', 'result', ''];
  const structuredContent = { result: { data: '', other: '' }, list: ['a', ''], kept: 'kept' };
  await using office = await officeWith({
    content: [{ ...image, _meta: { ...markers(picture), a2c_copies: copies } }],
    structuredContent,
  });
  const data = picture.toString('base64');
  const result = await office.agent.callTool(show);
  expect(result.structuredContent).toEqual({ result: { data, other: '' }, list: ['a', data], kept: 'kept' });
});

test('a drain ends with the deadline and the signal of its call', async () => {
  await using office = await officeWith(offloaded);
  office.computer.alterPart = () => new Promise(() => {});
  const late = await office.agent.callTool(show, { timeout: 1000 });
  expect(late.content).toMatchObject([{ type: 'text', text: expect.stringContaining('not answered in time') }]);

  const stop = new AbortController();
  const call = office.agent.callTool(show, { signal: stop.signal });
  await eventually(() => expect(office.computer.askedFor('client:get_blob').length).toBeGreaterThan(1));
  stop.abort();
  expect(isCancelled(await call)).toBe(true);
});

test('readBlob returns the bytes behind a handle, and refuses what is too large', async () => {
  await using office = await officeWith(offloaded);
  const { data, mimeType } = await office.agent.readBlob('desk', 'h1');
  expect(Buffer.from(data).equals(picture)).toBe(true);
  expect(mimeType).toBe('image/png');
  await expect(office.agent.readBlob('desk', 'h1', { maxBytes: 599_999 })).rejects.toMatchObject({ code: 413 });
  await expect(office.agent.readBlob('desk', 'x')).rejects.toMatchObject({ code: 4018, details: { reason: 'gone' } });
});
