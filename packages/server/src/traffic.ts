import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';

/** Knows all connections of an HTTP server and their bytes. The sockets count anyway; this only adds up. */
export class Traffic {
  readonly #open = new Set<Socket>();
  #received = 0;
  #sent = 0;

  /** Begins to count. Returns a function that stops it. */
  watch(http: HttpServer): () => void {
    const onConnection = (socket: Socket) => {
      this.#open.add(socket);

      socket.once('close', () => {
        this.#open.delete(socket);
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
