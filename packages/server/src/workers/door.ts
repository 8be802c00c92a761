import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { AddressBook } from '../http/addresses.ts';
import { LISTEN_BACKLOG } from '../limits.ts';
import { type Route, readRoute } from './route.ts';

/** Milliseconds in which a client has to send the first line of its request. */
const FIRST_LINE_TIMEOUT_MS = 15_000;
/** Bytes in the buffer of a paused connection that stop Node from reading more. */
const STOPPING_BYTES = 1;
/** Bytes of the first line that are looked at. */
const MAX_LINE_BYTES = 16_384;

export interface DoorOptions {
  host: string;
  port: number;
  /** The HTTP path of Engine.IO, with a slash at its end. */
  path: string;
  /** True if clients speak TLS: the first line cannot be read then. */
  tls: boolean;
  /** Connections of one address that have sent nothing yet. */
  maxPerAddress: number;
  /** Gets every connection, stopped, and the bytes that were read from it. */
  onConnection: (socket: Socket, route: Route, head: Buffer) => void;
}

/** Accepts the connections of all workers, and reads as much of each as tells for whom it is. */
export class Door {
  readonly #server: Server;
  readonly #options: DoorOptions;
  readonly #waiting = new Set<Socket>();
  readonly #addresses = new AddressBook();

  private constructor(options: DoorOptions) {
    this.#options = options;
    const settings = { pauseOnConnect: options.tls, noDelay: true, highWaterMark: STOPPING_BYTES };
    this.#server = createServer(settings, socket => this.#accept(socket));
  }

  static async open(options: DoorOptions): Promise<Door> {
    const door = new Door(options);
    const { port, host } = options;
    door.#server.listen({ port, host, backlog: LISTEN_BACKLOG });
    await once(door.#server, 'listening');
    return door;
  }

  /** Where clients connect. */
  get url(): string {
    const place = this.#server.address();
    if (place === null || typeof place === 'string') throw new TypeError('The port is closed');
    const { address, port, family } = place;
    const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address] ?? (family === 'IPv6' ? `[${address}]` : address);
    return `${this.#options.tls ? 'https' : 'http'}://${host}:${port}`;
  }

  /** Accepts no more connections. Those that were handed over go on. */
  close(): void {
    this.#server.close();
    for (const socket of this.#waiting) socket.destroy();
  }

  #accept(socket: Socket): void {
    const { tls, onConnection } = this.#options;
    socket.on('error', () => {});
    // All connections of a client have one address, so that it may poll.
    if (tls) onConnection(socket, { kind: 'key', key: socket.remoteAddress ?? '' }, Buffer.of());
    else this.#readLine(socket);
  }

  #readLine(socket: Socket): void {
    const { path, maxPerAddress, onConnection } = this.#options;
    const { remoteAddress: address = '' } = socket;
    if (this.#addresses.count(address) >= maxPerAddress) {
      socket.destroy();
      return;
    }
    this.#addresses.add(address);
    this.#waiting.add(socket);
    let head: Buffer = Buffer.of();
    const timer = setTimeout(() => socket.destroy(), FIRST_LINE_TIMEOUT_MS);
    const release = () => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
      this.#addresses.remove(address);
    };
    const read = (chunk: Buffer) => {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\n');
      if (end === -1 && head.length < MAX_LINE_BYTES) return;
      socket.off('data', read).off('close', release).pause();
      // Fills the buffer, so that Node reads no more: until the worker has confirmed the connection, this process has it too,
      // and would drop what the client sends next.
      socket.unshift(head);
      release();
      onConnection(socket, readRoute(head.toString('latin1', 0, end === -1 ? MAX_LINE_BYTES : end), path), head);
    };
    socket.on('data', read).on('close', release);
  }
}
