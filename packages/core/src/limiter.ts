/** Lets so many jobs run at the same time; the others wait for their turn, first come, first served. */
export class Limiter {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
