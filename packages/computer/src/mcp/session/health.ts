import { authErrorOf } from '../../oauth/errors.ts';

export interface HealthOptions {
  /** Milliseconds without an answer after which a server is sent a ping. */
  pingInterval: number;
  /** Milliseconds it has to answer. */
  pingTimeout: number;
}

/** How a session is used, which its owner keeps up to date. */
export interface Activity {
  /** When the server last answered something, as of `Date.now`. */
  lastAnswer: number;
  /** Calls in flight. No pings are sent meanwhile: a busy server may be unable to answer them. */
  calls: number;
  /** Calls and reads so far. */
  uses: number;
}

/** At most one check in this time, however much trouble is reported. */
const CHECK_INTERVAL_MS = 1000;

/** Finds out by pings whether a session is alive. */
export class Health {
  readonly #activity: Readonly<Activity>;
  readonly #ping: (timeout: number) => Promise<void>;
  readonly #options: HealthOptions;
  readonly #onDead: (reason: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #lastCheck = 0;

  constructor(
    activity: Readonly<Activity>,
    ping: (timeout: number) => Promise<void>,
    { onDead, ...options }: HealthOptions & { onDead: (reason: string) => void },
  ) {
    this.#activity = activity;
    this.#ping = ping;
    this.#options = options;
    this.#onDead = onDead;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), Math.max(10, this.#options.pingInterval / 2));
    this.#timer.unref();
  }

  /** Requests a ping: something looks wrong. */
  suspect(): void {
    if (Date.now() - this.#lastCheck >= CHECK_INTERVAL_MS) void this.#check();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (Date.now() - this.#activity.lastAnswer >= this.#options.pingInterval) void this.#check();
  }

  async #check(): Promise<void> {
    if (this.#isChecking || this.#activity.calls > 0) return;
    this.#isChecking = true;
    this.#lastCheck = Date.now();
    try {
      await this.#ping(this.#options.pingTimeout);
    } catch (error) {
      // A server that refuses access is alive; another session would be refused too.
      if (authErrorOf(error)) return;
      const reason = error instanceof Error ? error.message : error;
      if (this.#activity.calls === 0) this.#onDead(`It did not answer a ping: ${reason}`);
    } finally {
      this.#isChecking = false;
    }
  }
}
