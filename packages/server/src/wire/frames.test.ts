import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { readFrames } from './frames.ts';
import { BatchingWebSocketServer } from './ws.ts';

const TEXT = 0x81;
const PING = 0x89;
const CLOSE = 0x88;

/** A frame of a client. */
function frame(first: number, payload: Uint8Array, mask = [7, 0, 255, 130]): Buffer {
  const { length } = payload;
  const header = length < 126 ? [first, 128 + length] : [first, 128 + 126, length >> 8, length & 255];
  return Buffer.from([...header, ...mask, ...payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0))]);
}
const textFrame = (text: string) => frame(TEXT, Buffer.from(text));

/** The texts that are read, and where reading stopped. */
function read(chunk: Buffer): { texts: string[]; end: number } {
  const texts: string[] = [];
  const end = readFrames(chunk, { readyState: 1, receive: text => texts.push(text.toString()) });
  return { texts, end };
}

describe('readFrames', () => {
  const first = textFrame('first');

  test('readFrames reads whole text messages, short and long', () => {
    const long = 'é'.repeat(5000);
    const chunk = Buffer.concat([first, textFrame(''), textFrame(long)]);
    expect(read(chunk)).toEqual({ texts: ['first', '', long], end: chunk.length });
  });

  test.each(
    Object.entries({
      'a ping': frame(PING, Buffer.from('x')),
      'a part of a message': frame(0x01, Buffer.from('x')),
      'the end of a message': frame(0x80, Buffer.from('x')),
      'a binary message': frame(0x82, Buffer.from('x')),
      'a compressed message': frame(0xc1, Buffer.from('x')),
      'bytes that are not UTF-8': frame(TEXT, Buffer.from([0xff])),
      'a frame that is not masked': Buffer.from([TEXT, 1, 120, 120, 120, 120, 120]),
      'a frame with a length of eight bytes': Buffer.from([TEXT, 255, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 120]),
    }),
  )('readFrames stops before %s, which it leaves as it was', (_, other) => {
    const chunk = Buffer.concat([first, other, first]);
    const before = Buffer.from(chunk.subarray(first.length));
    expect(read(chunk)).toEqual({ texts: ['first'], end: first.length });
    expect(chunk.subarray(first.length)).toEqual(before);
  });

  test('readFrames stops before a message that has not arrived in full', () => {
    const chunk = Buffer.concat([first, first]);
    for (let end = first.length; end < chunk.length; end++) {
      expect(read(Buffer.from(chunk.subarray(0, end)))).toEqual({ texts: ['first'], end: first.length });
    }
  });

  test('readFrames stops when a message closes the connection', () => {
    const texts: string[] = [];
    const taker = {
      readyState: 1,
      receive(text: Buffer) {
        texts.push(text.toString());
        this.readyState = 2;
      },
    };
    expect(readFrames(Buffer.concat([first, first]), taker)).toBe(first.length);
    expect(texts).toEqual(['first']);
  });
});

describe('BatchingWebSocket', () => {
  const payload = fc.string({ unit: 'binary', maxLength: 200 }).map(text => Buffer.from(text));
  const anyFrame = fc.oneof(
    { weight: 4, arbitrary: payload.map(bytes => frame(TEXT, bytes)) },
    payload.map(bytes => Buffer.concat([frame(0x01, bytes), frame(0x80, bytes)])),
    payload.map(bytes => frame(0x82, bytes)),
    fc.constantFrom(frame(PING, Buffer.from('ping')), frame(TEXT, Buffer.from([0xc3])), frame(CLOSE, Buffer.of())),
    fc.uint8Array({ minLength: 1, maxLength: 12 }).map(bytes => Buffer.from(bytes)),
  );

  test('a BatchingWebSocket receives what a WebSocket of ws receives, however the bytes are divided', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFrame, { maxLength: 8 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        async (frames, cuts) => {
          const bytes = Buffer.concat(frames);
          const borders = [0, ...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
          const chunks = borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
          const ours = await received(new BatchingWebSocketServer({ noServer: true }), chunks);
          expect(ours).toEqual(await received(new WebSocketServer({ noServer: true }), chunks));
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** The messages that a server receives from a client that sends these chunks and then ends the connection. */
async function received(
  webSockets: Pick<WebSocketServer, 'handleUpgrade'>,
  chunks: readonly Buffer[],
): Promise<unknown[]> {
  const events: unknown[] = [];
  const http = createServer();
  const closed = new Promise<void>(resolve => {
    http.on('upgrade', (request, stream, head) => {
      webSockets.handleUpgrade(request, stream, head, webSocket => {
        webSocket.on('message', (data, isBinary) => events.push([String(data), isBinary]));
        webSocket.on('ping', data => events.push(['ping', String(data)]));
        webSocket.on('error', ({ message }) => events.push(['error', message]));
        webSocket.on('close', code => {
          events.push(['close', code]);
          resolve();
        });
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1');
  const key = Buffer.alloc(16).toString('base64');
  client.write(
    `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(client, 'data');
  client.on('error', () => {});
  client.setNoDelay(true);
  for (const chunk of chunks) {
    client.write(chunk);
    await new Promise(resolve => setImmediate(resolve));
  }
  client.end();
  await closed;
  client.destroy();
  http.close();
  return events;
}
