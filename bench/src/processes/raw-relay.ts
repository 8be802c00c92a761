import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { RawChannel } from './raw-channel.ts';

const GREETING = '0{"sid":"s","upgrades":[],"pingInterval":300000,"pingTimeout":300000,"maxPayload":16000000}';

/**
 * The least that a relay on `ws` does: greets like Socket.IO, then passes every message of an Agent to its Computer and
 * back without looking into it. The message of a member of a larger office goes to all others, as one frame that is
 * written to each. With a Redis it also reaches peers of other processes, each over a channel of its own.
 */
export async function createRawRelay(redis?: string) {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 16 * 1024 * 1024 });
  const peers = new Map<string, WebSocket>();
  /** By office, the connections of all members. */
  const offices = new Map<string, Set<Duplex>>();
  const deliver = (peer: string, message: Buffer) => peers.get(peer)?.send(message, { binary: false });
  const channel = redis === undefined ? undefined : await RawChannel.open(redis, deliver);
  server.on('connection', (socket, { socket: stream }) => {
    socket.send(GREETING);
    let office: Set<Duplex> | undefined;
    let other = '';
    socket.on('message', async (data: Buffer) => {
      if (office) {
        if (office.size > 2) broadcast(office, stream, data);
        else if (peers.has(other)) deliver(other, data);
        else channel?.publish(other, data);
        return;
      }
      const text = String(data);
      if (text.startsWith('40')) socket.send('40/smcp,{"sid":"s"}');
      else if (text.includes('server:join_office')) {
        const { role, office_id } = JSON.parse(text.slice(text.indexOf('[')))[1];
        office = offices.get(office_id) ?? new Set();
        offices.set(office_id, office.add(stream));
        peers.set(`${office_id}/${role}`, socket);
        other = `${office_id}/${role === 'agent' ? 'computer' : 'agent'}`;
        await channel?.subscribe(`${office_id}/${role}`);
        socket.send('43/smcp,0[true,null]');
      }
    });
  });
  return http;
}

function broadcast(streams: Set<Duplex>, sender: Duplex, signal: Buffer): void {
  const text = Buffer.from(String(signal).replace('server:', 'notify:'));
  // A whole text message below 126 bytes.
  const frame = Buffer.concat([Buffer.from([0x81, text.length]), text]);
  for (const stream of streams) if (stream !== sender) stream.write(frame);
}
