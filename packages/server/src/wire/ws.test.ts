import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../../../tests/eventually.ts';
import { encodeFrame } from './frames.ts';
import { type BatchingWebSocket, BatchingWebSocketServer } from './ws.ts';

/** A WebSocket, and what its client received. */
async function connect() {
  const http = createServer();
  const server = new BatchingWebSocketServer({ noServer: true });
  const accepted = new Promise<BatchingWebSocket>(resolve => {
    http.on('upgrade', (request, stream, head) => server.handleUpgrade(request, stream, head, resolve));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on('message', data => received.push(String(data)));
  const [webSocket] = await Promise.all([accepted, once(client, 'open')]);
  const close = () => {
    client.terminate();
    http.close();
  };
  return { webSocket, client, received, [Symbol.dispose]: close };
}

const LENGTHS = [0, 1, 125, 126, 127, 16_383, 16_384, 65_535, 65_536, 70_000, 1_000_000];

test('messages of every length arrive whole and in order, whether text or bytes', async () => {
  using connection = await connect();
  const { webSocket, received } = connection;
  const expected: string[] = [];
  for (const [index, length] of LENGTHS.entries()) {
    const body = `${index}é世`.repeat(length).slice(0, length);
    webSocket.send(body);
    webSocket.sendText(`${index}:`, body);
    webSocket.sendText(`${index}:`, Buffer.from(body));
    const shared = encodeFrame(`${index}:`, Buffer.from(body));
    webSocket.sendFrame(shared, true);
    webSocket.sendFrame(shared, false);
    expected.push(body, ...Array.from({ length: 4 }, () => `${index}:${body}`));
  }
  await eventually(() => expect(received).toHaveLength(expected.length));
  expect(received).toEqual(expected);
});

test('a message that may wait leaves by itself, and no later than the next one', async () => {
  using connection = await connect();
  const { webSocket, received } = connection;
  const traced: string[] = [];
  webSocket.trace = (_, text) => traced.push(text);
  const frame = (text: string) => encodeFrame('', Buffer.from(text));
  webSocket.sendFrame(frame('one'), true);
  webSocket.sendFrame(frame('two'), true);
  await eventually(() => expect(received).toEqual(['one', 'two']));
  webSocket.sendFrame(frame('three'), true);
  webSocket.sendText('', 'four');
  webSocket.sendFrame(frame('five'), true);
  webSocket.close(1000);
  await eventually(() => expect(received).toEqual(['one', 'two', 'three', 'four', 'five']));
  expect(traced).toEqual(received);
});

test('what was sent before a close arrives before it', async () => {
  using connection = await connect();
  const { webSocket, client, received } = connection;
  const closed = once(client, 'close');
  webSocket.send('one');
  webSocket.send('two');
  webSocket.close(1000);
  webSocket.send('too late');
  await closed;
  expect(received).toEqual(['one', 'two']);
});

test('a tap keeps to itself what it takes', async () => {
  using connection = await connect();
  const { webSocket, client } = connection;
  const passed: string[] = [];
  const taken: string[] = [];
  webSocket.on('message', data => passed.push(String(data)));
  webSocket.tap = {
    takeFrame(message) {
      const mine = String(message).startsWith('mine');
      if (mine) taken.push(String(message));
      return mine;
    },
  };
  for (const text of ['mine 1', 'yours', 'mine 2']) client.send(text);
  await eventually(() => expect(taken).toEqual(['mine 1', 'mine 2']));
  expect(passed).toEqual(['yours']);
});

test('a client that does not read is noticed', async () => {
  using connection = await connect();
  const { webSocket, client } = connection;
  client.pause();
  let waiting = 0;
  const onBacklog = (bytes: number) => {
    waiting = bytes;
  };
  webSocket.watch({ onBacklog, onExceeded() {} }, 1000);
  const body = Buffer.alloc(1_000_000, 'x');
  await eventually(() => {
    webSocket.sendText('', body);
    expect(waiting).toBeGreaterThan(5_000_000);
  });
});
