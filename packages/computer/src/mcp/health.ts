import type { McpConnection } from './connection.ts';

export interface HealthOptions {
  /** Milliseconds of silence after which a server must show that it lives. */
  pingInterval: number;
  /** Milliseconds it has to answer. */
  pingTimeout: number;
}

/** At most one check per this many milliseconds, however much trouble is reported. */
const PAUSE = 1000;

/** Finds out by real round trips whether a connection is alive. */
export class Health {
  readonly #connection: McpConnection;
  readonly #options: HealthOptions;
  readonly #onDead: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #checking = false;
  #lastCheck = 0;
  #calls = 0;

  constructor(connection: McpConnection, options: HealthOptions, onDead: (reason: string) => void) {
    this.#connection = connection;
    this.#options = options;
    this.#onDead = onDead;
    this.#timer = setInterval(() => this.#tick(), Math.max(10, options.pingInterval / 2));
    this.#timer.unref();
  }

  /** A call begins. A server that is busy with one may be unable to answer anything else, so it is left in peace. */
  beginCall(): void {
    this.#calls += 1;
  }

  endCall(): void {
    this.#calls -= 1;
  }

  /** Asks for a round trip soon: something looks wrong. */
  suspect(): void {
    if (Date.now() - this.#lastCheck >= PAUSE) void this.#check();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (Date.now() - this.#connection.lastAnswer >= this.#options.pingInterval) void this.#check();
  }

  async #check(): Promise<void> {
    if (this.#checking || this.#calls > 0) return;
    this.#checking = true;
    this.#lastCheck = Date.now();
    try {
      await this.#connection.ping(this.#options.pingTimeout);
    } catch (error) {
      if (this.#calls === 0)
        this.#onDead(`It did not answer a ping: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.#checking = false;
    }
  }
}
