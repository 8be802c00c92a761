import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SmcpServer } from '@a2c-smcp/server';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { root } from '../packages.ts';

const HEARTBEAT = { pingInterval: 100, pingTimeout: 400 };

test('a Server that is busy for longer than a heartbeat may take keeps a peer that has answered it', async () => {
  const server = fork(join(root, 'tests/cluster/node-process.mjs'), [JSON.stringify(HEARTBEAT)], { execArgv: [] });
  try {
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    const peer = connect(url);
    await packetOf(peer, '0');
    peer.send('40/smcp,');
    await packetOf(peer, '40/smcp,');
    await packetOf(peer, '2');
    server.send(HEARTBEAT.pingTimeout * 2);
    // Later than the message to block, which takes another way.
    await new Promise(resolve => setTimeout(resolve, HEARTBEAT.pingTimeout / 4));
    peer.send('3');
    // The next heartbeat shows that the answer was read.
    await packetOf(peer, '2');
    expect(peer.readyState).toBe(WebSocket.OPEN);
    peer.terminate();
  } finally {
    server.kill('SIGKILL');
  }
});

test('a peer that does not answer a heartbeat in time is disconnected', async () => {
  await using server = await SmcpServer.listen({ port: 0, ...HEARTBEAT });
  const peer = connect(server.url);
  await once(peer, 'open');
  const begun = performance.now();
  await once(peer, 'close');
  expect(performance.now() - begun).toBeGreaterThan(HEARTBEAT.pingTimeout);
});

function connect(url: string): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
}

/** Resolves with the next packet that starts so. Rejects when the connection ends. */
function packetOf(peer: WebSocket, start: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('The Server ended the connection'));
    const onMessage = (packet: Buffer) => {
      if (!String(packet).startsWith(start)) return;
      peer.off('close', onClose).off('message', onMessage);
      resolve();
    };
    peer.on('close', onClose).on('message', onMessage);
  });
}
