export interface DebouncerOptions {
  /** Milliseconds from a request to the run; further requests until then share it. @default 0: runs at once */
  delay?: number;
  /** Milliseconds from the end of a run to the next one. @default 0 */
  pause?: number;
  /** True if each request starts `delay` anew. @default false */
  restart?: boolean;
}

/**
 * Runs a job on request: one run at a time, and any number of requests before or during a run cause a single further
 * one. Its timers do not keep a process alive.
 */
export class Debouncer {
  readonly #run: () => void | Promise<void>;
  readonly #options: Required<DebouncerOptions>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'idle' | 'delayed' | 'busy' = 'idle';
  #isRequested = false;

  /** @param run must not throw */
  constructor(run: () => void | Promise<void>, { delay = 0, pause = 0, restart = false }: DebouncerOptions = {}) {
    this.#run = run;
    this.#options = { delay, pause, restart };
  }

  request(): void {
    this.#isRequested = true;
    if (this.#state === 'busy') return;
    if (this.#state === 'idle' || this.#options.restart) this.#schedule();
  }

  /** Drops a request that has not run yet. */
  cancel(): void {
    this.#isRequested = false;
    if (this.#state !== 'delayed') return;
    clearTimeout(this.#timer);
    this.#state = 'idle';
  }

  /** Runs a request that has not run yet at once. */
  flush(): void {
    if (this.#state !== 'delayed') return;
    clearTimeout(this.#timer);
    void this.#start();
  }

  #schedule(): void {
    const { delay } = this.#options;
    if (delay === 0) {
      void this.#start();
      return;
    }
    this.#state = 'delayed';
    this.#wait(delay, () => void this.#start());
  }

  async #start(): Promise<void> {
    this.#state = 'busy';
    this.#isRequested = false;
    const running = this.#run();
    if (running) await running;
    if (this.#options.pause > 0) this.#wait(this.#options.pause, () => this.#end());
    else this.#end();
  }

  #end(): void {
    this.#state = 'idle';
    if (this.#isRequested) void this.#start();
  }

  #wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, milliseconds);
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
