import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Tally } from './tally.ts';

export interface Membership {
  role: 'agent' | 'computer';
  name: string;
  office_id: string;
}

/** A stock Socket.IO client that joins its office, and joins again whenever it is back. */
export class SoakPeer {
  readonly socket: Socket;
  readonly #membership: Membership;

  private constructor(socket: Socket, membership: Membership) {
    this.socket = socket;
    this.#membership = membership;
  }

  static async open(url: string, membership: Membership, tally: Tally): Promise<SoakPeer> {
    const socket = io(`${url}/smcp`, {
      transports: ['websocket'],
      forceNew: true,
      auth: { instance_id: crypto.randomUUID() },
      reconnectionDelay: 50,
      reconnectionDelayMax: 500,
    });
    const peer = new SoakPeer(socket, membership);
    let joined = false;
    await new Promise<void>(resolve => {
      socket.on('connect', async () => {
        if (joined) tally.rejoined += 1;
        joined = await peer.enter();
        if (joined) resolve();
      });
    });
    return peer;
  }

  /** Joins, however often it is refused, until the connection is lost. */
  async enter(): Promise<boolean> {
    while (this.socket.connected) {
      const join = this.socket.timeout(10_000).emitWithAck('server:join_office', this.#membership);
      if (await join.catch(() => false)) return true;
      await delay(200);
    }
    return false;
  }

  async leave(): Promise<void> {
    const { office_id } = this.#membership;
    const left = this.socket.timeout(10_000).emitWithAck('server:leave_office', { office_id });
    await left.catch(() => {});
  }

  /** Only when there is a connection: one that is cut while it is made is noticed by Socket.IO after 20 s. */
  loseConnection(): void {
    if (this.socket.connected) this.socket.io.engine.close();
  }

  /** The next attempt to connect goes there. Socket.IO has no public way to say so. */
  move(url: string): void {
    Reflect.set(this.socket.io, 'uri', `${url}/smcp`);
  }

  close(): void {
    this.socket.disconnect();
  }
}
