export interface HealthOptions {
  /** Milliseconds without an answer after which a server is sent a ping. */
  pingInterval: number;
  /** Milliseconds it has to answer. */
  pingTimeout: number;
}

/** At most one check in this time, however much trouble is reported. */
const CHECK_INTERVAL_MS = 1000;

/** Finds out by pings whether a session is alive. */
export class Health {
  readonly #ping: (timeout: number) => Promise<void>;
  readonly #options: HealthOptions;
  readonly #onDead: (reason: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #lastCheck = 0;
  #lastAnswer = 0;
  #calls = 0;

  constructor(
    ping: (timeout: number) => Promise<void>,
    { onDead, ...options }: HealthOptions & { onDead: (reason: string) => void },
  ) {
    this.#ping = ping;
    this.#options = options;
    this.#onDead = onDead;
  }

  start(): void {
    this.answered();
    this.#timer = setInterval(() => this.#tick(), Math.max(10, this.#options.pingInterval / 2));
    this.#timer.unref();
  }

  /** The server has answered something. */
  answered(): void {
    this.#lastAnswer = Date.now();
  }

  /** A call begins. No pings are sent while one is in flight: a busy server may be unable to answer them. */
  beginCall(): void {
    this.#calls += 1;
  }

  /** @param isSuspect whether the call failed in a way that needs a check */
  endCall(isSuspect: boolean): void {
    this.#calls -= 1;
    if (isSuspect) this.suspect();
  }

  /** Requests a ping: something looks wrong. */
  suspect(): void {
    if (Date.now() - this.#lastCheck >= CHECK_INTERVAL_MS) void this.#check();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (Date.now() - this.#lastAnswer >= this.#options.pingInterval) void this.#check();
  }

  async #check(): Promise<void> {
    if (this.#isChecking || this.#calls > 0) return;
    this.#isChecking = true;
    this.#lastCheck = Date.now();
    try {
      await this.#ping(this.#options.pingTimeout);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      if (this.#calls === 0) this.#onDead(`It did not answer a ping: ${reason}`);
    } finally {
      this.#isChecking = false;
    }
  }
}
