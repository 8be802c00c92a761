import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';

/** A masked text frame of a client, as bytes. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(payload.length < 126 ? 2 : 10);
  header[0] = 0x81;
  if (payload.length < 126) {
    header[1] = 0x80 | payload.length;
  } else {
    header[1] = 0x80 | 127;
    header.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  // The mask is zero, so that the payload stays as it is.
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}

test('a long message that arrives in one chunk with the upgrade of a connection is taken', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using peer = await RawPeer.join(server.url, 'agent', 'a', 'o', { transports: ['polling'] });
  const { id } = peer.socket.io.engine as unknown as { id: string };
  const url = `${server.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&sid=${id}`;
  const webSocket = new WebSocket(url);
  const received: string[] = [];
  webSocket.on('message', data => received.push(String(data)));
  await new Promise(resolve => webSocket.once('open', resolve));
  webSocket.send('2probe');
  await expect.poll(() => received, { timeout: 5000 }).toContain('3probe');
  const { _socket: stream } = webSocket as unknown as { _socket: { write(bytes: Buffer): void } };
  const text = 'x'.repeat(63_000);
  const list = `42/smcp,7["server:list_room",{"agent":"a","req_id":"r","office_id":"o","text":"${text}"}]`;
  stream.write(Buffer.concat([frame('5'), frame(list), frame(list.replace(',7[', ',8['))]));
  await expect.poll(() => received.some(each => each.startsWith('43/smcp,8[')), { timeout: 5000 }).toBe(true);
  webSocket.close();
});
