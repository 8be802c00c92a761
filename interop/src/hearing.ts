interface Heard {
  event: string;
  payload: unknown;
}

interface Waiting {
  takes: (heard: Heard) => boolean;
  resolve: (payload: unknown) => void;
}

/** The notifications that a peer received, until they are read. */
export class Hearing {
  #unread: Heard[] = [];
  #waiting: Waiting[] = [];

  /** Something was heard. */
  add(event: string, payload: unknown): void {
    const heard = { event, payload };
    const index = this.#waiting.findIndex(({ takes }) => takes(heard));
    if (index < 0) this.#unread.push(heard);
    else this.#waiting.splice(index, 1)[0]?.resolve(payload);
  }

  /** Forgets what was heard so far. */
  clear(): void {
    this.#unread = [];
  }

  /** The next payload of an event that matches, also if it was heard before. Each is given out once. */
  next(event: string, matches: (payload: unknown) => boolean = () => true, milliseconds = 10_000): Promise<unknown> {
    const takes = (heard: Heard) => heard.event === event && matches(heard.payload);
    const index = this.#unread.findIndex(takes);
    if (index >= 0) return Promise.resolve(this.#unread.splice(index, 1)[0]?.payload);
    return new Promise((resolve, reject) => {
      const waiting = { takes, resolve: (payload: unknown) => finish(() => resolve(payload)) };
      const timer = setTimeout(() => finish(() => reject(new Error(`'${event}' was not heard`))), milliseconds);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter(other => other !== waiting);
        settle();
      };
      this.#waiting.push(waiting);
    });
  }
}
