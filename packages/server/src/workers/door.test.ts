import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Door } from './door.ts';

test('nothing is read of a connection behind its first line, so that its worker gets all of it', async () => {
  let accept: (connection: { socket: Socket; head: Buffer }) => void = () => {};
  const accepted = new Promise<{ socket: Socket; head: Buffer }>(resolve => {
    accept = resolve;
  });
  const door = await Door.open({
    ...{ host: '127.0.0.1', port: 0, path: '/socket.io/', tls: false, maxPerAddress: 10 },
    onConnection: (socket, _, head) => accept({ socket, head }),
  });
  const client = connect(Number(new URL(door.url).port), '127.0.0.1').setNoDelay();
  client.write('GET /socket.io/ HT');
  await delay(50);
  client.write('TP/1.1\r\nHost: a\r\n\r\n');
  const { socket, head } = await accepted;
  try {
    expect(String(head)).toBe('GET /socket.io/ HTTP/1.1\r\nHost: a\r\n\r\n');
    client.write('more');
    // As long as a worker may take to confirm that it has the connection.
    await delay(100);
    expect(socket.bytesRead).toBe(head.length);
  } finally {
    client.destroy();
    socket.destroy();
    door.close();
  }
});
