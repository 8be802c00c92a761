/** Runs tasks one after the other, in the order in which they were added. One that fails does not stop the next. */
export class SerialQueue {
  readonly #onIdle: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #size = 0;

  /** @param onIdle called whenever the last task is finished */
  constructor({ onIdle = () => {} }: { onIdle?: () => void } = {}) {
    this.#onIdle = onIdle;
  }

  /** Tasks that are not finished. */
  get size(): number {
    return this.#size;
  }

  /** Settles as the task does. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    this.#size += 1;
    const result = this.#last.then(task);
    this.#last = result.then(this.#finish, this.#finish);
    return result;
  }

  /** Resolves when all tasks so far are finished. */
  async idle(): Promise<void> {
    await this.#last;
  }

  readonly #finish = (): void => {
    this.#size -= 1;
    if (this.#size === 0) this.#onIdle();
  };
}
