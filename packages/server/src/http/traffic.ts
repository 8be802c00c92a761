import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { AddressBook } from './addresses.ts';

/** Knows all TCP connections of an HTTP server and their bytes. The sockets count anyway; this only adds up. */
export class Traffic {
  readonly #open = new Set<Socket>();
  readonly #addresses = new AddressBook();
  #received = 0;
  #sent = 0;

  /**
   * Begins to count, and cuts what is more than `maxPerAddress`: a client that sends no request at all is not seen by any
   * other limit. Returns a function that stops it.
   */
  watch(http: HttpServer, maxPerAddress = Number.POSITIVE_INFINITY): () => void {
    const onConnection = (socket: Socket) => {
      const { remoteAddress: address = '' } = socket;
      if (this.#addresses.count(address) >= maxPerAddress) {
        socket.destroy();
        return;
      }
      this.#open.add(socket);
      this.#addresses.add(address);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#addresses.remove(address);
        this.#received += socket.bytesRead;
        this.#sent += socket.bytesWritten;
      });
    };
    http.on('connection', onConnection);
    return () => http.off('connection', onConnection);
  }

  /** Ends all connections: at once when everything is written, after `milliseconds` in any case. */
  end(milliseconds: number): void {
    for (const socket of this.#open) {
      socket.destroySoon();
      setTimeout(() => socket.destroy(), milliseconds).unref();
    }
  }

  get received(): number {
    return [...this.#open].reduce((sum, { bytesRead }) => sum + bytesRead, this.#received);
  }

  get sent(): number {
    return [...this.#open].reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#sent);
  }
}
