import { once } from 'node:events';
import { WebSocket } from 'ws';

const QUERY = 'EIO=4&a2c_version=0.2.0';

export interface EngineOptions {
  headers?: Record<string, string>;
  /** How often a client that polls does so. @default always again */
  polls?: number;
}

/** An Engine.IO connection that sends whatever a test tells it to, without Socket.IO. */
export interface EngineClient extends Disposable {
  /** Packets that were received, without those of Engine.IO itself. */
  readonly received: string[];
  readonly isOpen: boolean;
  /** The path of the connection, for requests of one's own. */
  readonly path: string;
  /** Sends one packet of Socket.IO, such as `0/smcp,`. */
  send(packet: string): Promise<void>;
  /** Sends packets together, as one chunk or one HTTP request. */
  sendAll(packets: readonly string[]): Promise<void>;
  /** Does what takes time in `sendAll`, and returns the rest of it. */
  prepare(packets: readonly string[]): () => Promise<void>;
  /** Resolves with the first packet that begins with one of these texts. */
  receive(...prefixes: string[]): Promise<string>;
  /** Resolves when the Server has closed the connection. */
  closed: Promise<void>;
}

/** Connects by WebSocket. */
export async function openWebSocket(url: string, { headers = {} }: EngineOptions = {}): Promise<EngineClient> {
  const address = `${url.replace('http', 'ws')}/socket.io/?${QUERY}&transport=websocket`;
  const socket = new WebSocket(address, { headers, perMessageDeflate: false });
  const inbox = new Inbox();
  socket.on('message', data => {
    const text = String(data);
    if (text === '2') socket.send('3');
    else if (text.startsWith('4')) inbox.add(text.slice(1));
  });
  const closed = once(socket, 'close').then(() => inbox.close());
  socket.on('error', () => {});
  await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
  const prepare = (packets: readonly string[]) => async () => {
    const { _socket: stream } = socket as unknown as { _socket: { cork(): void; uncork(): void } };
    stream.cork();
    for (const packet of packets) socket.send(`4${packet}`);
    stream.uncork();
  };
  return {
    received: inbox.packets,
    closed,
    path: new URL(address).pathname + new URL(address).search,
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    send: async packet => socket.send(`4${packet}`),
    sendAll: packets => prepare(packets)(),
    prepare,
    receive: (...prefixes) => inbox.receive(prefixes),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** Connects by long polling. */
export async function openPolling(
  url: string,
  { headers = {}, polls = Number.POSITIVE_INFINITY }: EngineOptions = {},
): Promise<EngineClient> {
  const base = `${url}/socket.io/?${QUERY}&transport=polling`;
  const handshake = await fetch(base, { headers });
  if (!handshake.ok) throw new Error(`The handshake was answered with ${handshake.status}`);
  const { sid } = JSON.parse((await handshake.text()).slice(1)) as { sid: string };
  const address = `${base}&sid=${sid}`;
  const inbox = new Inbox();
  const stop = new AbortController();
  let isOpen = true;
  const poll = async () => {
    for (let count = 0; isOpen && count < polls; count++) {
      const response = await fetch(address, { signal: stop.signal });
      if (!response.ok) break;
      for (const packet of (await response.text()).split('\x1e')) {
        if (packet === '2') await post('3');
        else if (packet === '1') isOpen = false;
        else if (packet.startsWith('4')) inbox.add(packet.slice(1));
      }
    }
    if (Number.isFinite(polls)) await new Promise(() => {});
  };
  const post = async (body: string | Blob) => {
    const response = await fetch(address, { method: 'POST', body }).catch(() => undefined);
    await response?.text();
  };
  const prepare = (packets: readonly string[]) => {
    const body = new Blob([packets.map(packet => `4${packet}`).join('\x1e')], { type: 'text/plain' });
    return () => post(body);
  };
  const closed = poll()
    .catch(() => {})
    .then(() => {
      isOpen = false;
      inbox.close();
    });
  return {
    received: inbox.packets,
    closed,
    path: new URL(address).pathname + new URL(address).search,
    get isOpen() {
      return isOpen;
    },
    send: packet => post(`4${packet}`),
    sendAll: packets => prepare(packets)(),
    prepare,
    receive: (...prefixes) => inbox.receive(prefixes),
    [Symbol.dispose]: () => {
      isOpen = false;
      stop.abort();
    },
  };
}

class Inbox {
  readonly packets: string[] = [];
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  add(packet: string): void {
    this.packets.push(packet);
    for (const look of this.#waiting) look();
  }

  close(): void {
    this.#isClosed = true;
    for (const look of this.#waiting) look();
  }

  receive(prefixes: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.packets.find(packet => prefixes.some(prefix => packet.startsWith(prefix)));
        if (found === undefined && !this.#isClosed) return;
        this.#waiting.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`The connection was closed before '${prefixes.join("' or '")}' arrived`));
      };
      this.#waiting.add(look);
      look();
    });
  }
}
