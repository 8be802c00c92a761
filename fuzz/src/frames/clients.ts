import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { mutate } from '../json.ts';
import type { Random } from '../random.ts';
import { joinPacket, randomAnswer, randomEnginePacket } from './packets.ts';

/** Milliseconds after which a client hangs up, whatever it was about to do. */
const CLIENT_LIFETIME_MS = 3000;
const MAX_PACKETS = 30;

const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds));

/** A client that connects by WebSocket, sends random frames and answers requests at random. */
export async function webSocketClient(url: string, random: Random): Promise<void> {
  const address = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket${randomQuery(random)}`;
  const socket = new WebSocket(address, { perMessageDeflate: random.chance(0.1) });
  socket.on('error', () => {});
  const opened = new Promise(resolve => socket.once('open', resolve));
  const closed = new Promise(resolve => socket.once('close', resolve));
  const timer = setTimeout(() => socket.terminate(), CLIENT_LIFETIME_MS);
  socket.on('message', data => {
    const [, id] = /^42\/smcp,(\d+)/.exec(String(data)) ?? [];
    if (id !== undefined && random.chance(0.8)) send(socket, `4${randomAnswer(id, random)}`);
  });
  await Promise.race([opened, closed]);
  if (random.chance(0.9)) send(socket, '40/smcp,');
  if (random.chance(0.7)) {
    await pause(random.below(10));
    send(socket, `4${joinPacket(random)}`);
  }
  for (let count = random.below(MAX_PACKETS); count > 0 && socket.readyState === WebSocket.OPEN; count--) {
    sendRandom(socket, random);
    if (random.chance(0.3)) await pause(random.below(5));
  }
  await pause(random.below(20));
  if (random.chance(0.5)) socket.close(random.pick([1000, 1001, 3000, 4900]));
  else socket.terminate();
  await closed;
  clearTimeout(timer);
}

/** A client that connects by long polling and sends random packets, several in a request. */
export async function pollingClient(url: string, random: Random): Promise<void> {
  const base = `${url}/socket.io/?EIO=4&transport=polling${randomQuery(random)}`;
  const signal = AbortSignal.timeout(CLIENT_LIFETIME_MS);
  const handshake = await fetch(base, { signal }).catch(() => undefined);
  const [, sid] = /"sid":"([^"]+)"/.exec((await handshake?.text().catch(() => '')) ?? '') ?? [];
  if (sid === undefined) return;
  const address = `${base}&sid=${sid}`;
  const post = async (body: string) => {
    const response = await fetch(address, { method: 'POST', body, signal }).catch(() => undefined);
    await response?.text().catch(() => '');
    return response?.ok === true;
  };
  if (random.chance(0.9)) await post('40/smcp,');
  if (random.chance(0.7)) await post(`4${joinPacket(random)}`);
  for (let count = random.below(5); count > 0; count--) {
    const packets = random.list(MAX_PACKETS, () => randomEnginePacket(random));
    if (!(await post(packets.join(random.chance(0.95) ? '\x1e' : '')))) break;
    if (random.chance(0.5))
      await fetch(address, { signal })
        .then(response => response.text())
        .catch(() => '');
  }
  await post('1');
}

/** A client that speaks HTTP badly. */
export async function tcpClient(url: string, random: Random): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(), CLIENT_LIFETIME_MS);
  const closed = new Promise(resolve => socket.once('close', resolve));
  const method = random.pick(['GET', 'GET', 'POST', 'OPTIONS', 'PUT', 'CONNECT', 'X']);
  const path = random.pick([
    '/socket.io/',
    '/socket.io/?EIO=4&transport=polling#',
    '/socket.io',
    '/health',
    '/metrics',
    '/',
    '//',
    '*',
    'http://x/socket.io/',
  ]);
  const headers = [
    `Host: ${random.pick([hostname, 'evil.example', '', 'localhost:1:2'])}`,
    random.pick(['Connection: Upgrade\r\nUpgrade: websocket', 'Connection: close', 'Connection: keep-alive']),
    random.pick(['Content-Length: 5', 'Content-Length: 99999999', 'Transfer-Encoding: chunked', 'X: y']),
    random.pick(['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13', 'Origin: null', 'X: y']),
  ];
  const head = `${method} ${path}?EIO=4&transport=polling${randomQuery(random)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  socket.write(random.chance(0.4) ? mutate(head, random) : head);
  socket.write(random.bytes(random.below(100)));
  await Promise.race([closed, pause(random.below(100))]);
  socket.destroy();
  await closed;
  clearTimeout(timer);
}

function sendRandom(socket: WebSocket, random: Random): void {
  const kind = random.below(40);
  if (kind === 0) socket.ping(random.bytes(random.below(125)));
  else if (kind === 1) socket.pong();
  else if (kind === 2) socket.send(random.bytes(random.below(200)));
  else if (kind === 3) socket.send(randomEnginePacket(random), { fin: false });
  else if (kind === 4) rawBytes(socket, random);
  else send(socket, randomEnginePacket(random));
}

/** Bytes that may be no frame at all. */
function rawBytes(socket: WebSocket, random: Random): void {
  const { _socket: stream } = socket as unknown as { _socket?: { write(bytes: Buffer): void } };
  stream?.write(random.bytes(random.below(50)));
}

function send(socket: WebSocket, text: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
}

function randomQuery(random: Random): string {
  if (random.chance(0.7)) return '';
  return random.pick(['&a2c_version=0.2.0', '&a2c_version=9.9.9', '&a2c_version=x', '&sid=', '&sid=x', '&EIO=3']);
}
