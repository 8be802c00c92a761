/** Milliseconds in which changes that come together are gathered before the first is told. */
const GATHER = 5;
/** Milliseconds between two tellings, however many changes there are. */
const PAUSE = 200;

/** Tells of changes: of the first soon, of a storm now and then, and always of the last. */
export class Coalescer {
  readonly #tell: () => void;
  #timer: NodeJS.Timeout | undefined;
  #wanted = false;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Something changed. */
  request(): void {
    this.#wanted = true;
    this.#timer ??= setTimeout(() => this.#turn(), GATHER);
  }

  /** What was requested so far is not to be told any more. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = false;
  }

  #turn(): void {
    this.#timer = undefined;
    if (!this.#wanted) return;
    this.#wanted = false;
    this.#timer = setTimeout(() => this.#turn(), PAUSE);
    this.#timer.unref();
    this.#tell();
  }
}
