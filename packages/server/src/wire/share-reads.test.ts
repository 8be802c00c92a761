import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shareReads } from './frames.ts';

let server: Server;

beforeEach(async () => {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.close();
  await once(server, 'close');
});

test('chunks of connections that share a buffer keep their bytes when others are read', async () => {
  const pairs = [await openPair(), await openPair(), await openPair()];
  const received = pairs.map(({ accepted }) => collect(accepted));
  const sent = pairs.map((_, pair) =>
    Array.from({ length: 50 }, (_, turn) => Buffer.alloc(1000 + pair, pair * 50 + turn)),
  );
  for (let turn = 0; turn < 50; turn++) {
    for (const [pair, { client }] of pairs.entries()) client.write(sent[pair]?.[turn] as Buffer);
    await new Promise(setImmediate);
  }
  for (const { client } of pairs) client.end();
  await Promise.all(pairs.map(({ accepted }) => once(accepted, 'end')));
  for (const [pair, chunks] of received.entries()) {
    expect(Buffer.concat(chunks).equals(Buffer.concat(sent[pair] as Buffer[]))).toBe(true);
  }
  for (const { accepted } of pairs) accepted.end();
});

test('a message that is longer than the shared buffer arrives in order, also from a stream that was paused', async () => {
  const { client, accepted } = await openPair();
  const chunks = collect(accepted);
  const message = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 251));
  accepted.pause();
  const before = chunks.length;
  client.end(message);
  // Longer than reading takes.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(chunks.length).toBe(before);
  accepted.resume();
  await once(accepted, 'end');
  expect(Buffer.concat(chunks).equals(message)).toBe(true);
  accepted.end();
});

test('a connection that shares a buffer and is lost closes with the error', async () => {
  const { client, accepted } = await openPair();
  const lost = once(accepted, 'error');
  client.resetAndDestroy();
  expect(await lost).toMatchObject([{ code: 'ECONNRESET' }]);
});

/** A client, and the connection that the server has of it. */
async function openPair(): Promise<{ client: Socket; accepted: Socket }> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  // Twice is as good as once.
  shareReads(accepted);
  shareReads(accepted);
  return { client, accepted };
}

function collect(stream: Socket): Buffer[] {
  const chunks: Buffer[] = [];
  stream.on('data', chunk => chunks.push(chunk));
  return chunks;
}
