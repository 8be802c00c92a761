import type { Role } from '@a2c-smcp/protocol';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';

export type RawOptions = Partial<ManagerOptions & SocketOptions>;

/** A peer that is nothing but a Socket.IO client: it sends what a test tells it to and remembers what it hears. */
export class RawPeer implements AsyncDisposable {
  readonly socket: Socket;
  /** Every event it received, in order. */
  readonly heard: [event: string, payload: unknown][] = [];

  readonly #ackTimeout: number;

  private constructor(socket: Socket, { ackTimeout = 25_000 }: RawOptions) {
    this.socket = socket;
    this.#ackTimeout = ackTimeout;
    socket.onAny((event: string, payload: unknown) => this.heard.push([event, payload]));
  }

  /** Rejects when the Server refuses the connection, or ends it before it has admitted the peer. */
  static async connect(url: string, options: RawOptions = {}): Promise<RawPeer> {
    const settings = { transports: ['websocket'], forceNew: true, reconnection: false, ...options };
    const peer = new RawPeer(io(`${url}/smcp`, settings), options);
    await new Promise<void>((resolve, reject) => {
      peer.socket.once('connect', resolve);
      peer.socket.once('connect_error', error => {
        reject(error);
        peer.socket.disconnect();
      });
      // A socket that was never connected does not emit `disconnect`. A refusal that came with the end is emitted later.
      peer.socket.io.once('close', reason => {
        if (peer.socket.io.reconnection()) return;
        const message = `The connection to '${url}' ended before the Server admitted it: ${reason}`;
        setTimeout(() => reject(new Error(message)), 0);
      });
    });
    return peer;
  }

  /** Connects and joins an office. */
  static async join(url: string, role: Role, name: string, office: string, options?: RawOptions): Promise<RawPeer> {
    const peer = await RawPeer.connect(url, options);
    const [ok, reason] = await peer.enter(role, name, office);
    if (!ok) throw new Error(`Not joined: ${reason}`);
    return peer;
  }

  /** Sends an event and returns all arguments of its acknowledgement, which may take `ackTimeout` milliseconds. */
  ask(event: string, ...args: unknown[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.socket.timeout(this.#ackTimeout).emit(event, ...args, (error: Error | null, ...answer: unknown[]) => {
        if (error) reject(new Error(`${event} was not acknowledged`));
        else resolve(answer);
      });
    });
  }

  enter(role: Role, name: string, office: string): Promise<unknown[]> {
    return this.ask('server:join_office', { role, name, office_id: office });
  }

  leave(office: string): Promise<unknown[]> {
    return this.ask('server:leave_office', { office_id: office });
  }

  /** Answers an event with whatever the function returns. */
  reply(event: string, answer: (body: Record<string, unknown>) => unknown): void {
    this.socket.on(event, (body, ack) => ack(answer(body)));
  }

  /** The payloads of one event that it received. */
  payloads(event: string): unknown[] {
    return this.heard.filter(([name]) => name === event).map(([, payload]) => payload);
  }

  /** Resolves after the Server has handled everything this peer sent, and everything it was sent has arrived. */
  async settled(): Promise<void> {
    await this.ask('unknown:settled');
  }

  close(): void {
    this.socket.disconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}
