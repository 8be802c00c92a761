import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Packet, parse } from './golden.ts';

/** An Engine.IO connection over a WebSocket that sends text as it is told and keeps the packets it receives. */
export class RawConnection implements Disposable {
  readonly #socket: WebSocket;
  readonly #inbox: Packet[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', data => {
      const packet = data.toString();
      if (packet === '2') socket.send('3');
      else if (packet.startsWith('4')) this.#inbox.push(parse(packet));
    });
  }

  static async open(
    url: string,
    headers: Record<string, string>,
    query: Record<string, string>,
  ): Promise<RawConnection> {
    const search = new URLSearchParams({ EIO: '4', transport: 'websocket', ...query });
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?${search}`, { headers });
    const connection = new RawConnection(socket);
    // The first message is the handshake of Engine.IO.
    await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
    return connection;
  }

  send(packet: string): void {
    this.#socket.send(packet);
  }

  /** Takes the first packet that matches out of those received, waiting for it if need be. */
  async receive(matches: (packet: Packet) => boolean): Promise<Packet> {
    const index = await vi.waitUntil(
      () => {
        const found = this.#inbox.findIndex(matches);
        return found < 0 ? undefined : found + 1;
      },
      { timeout: 10_000, interval: 5 },
    );
    return this.#inbox.splice(index - 1, 1)[0]!;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
