import { clip, type Logger } from '@a2c-smcp/core';

/** So many causes are remembered; a server that invents ever new ones must not fill the memory. */
const REMEMBERED = 10_000;
/** Characters of each value that tell one cause from another. */
const MAX_VALUE_LENGTH = 500;

/** Logs each cause of a warning once, however often it is met. */
export class Warnings {
  readonly #logger: Logger;
  readonly #known = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * @param cause what, together with the message, tells this cause from others
   * @param more what else is worth knowing of it
   */
  warn(message: string, cause: Record<string, string>, more: Record<string, unknown> = {}): void {
    const key = keyOf(message, cause);
    if (this.#known.has(key)) return;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.add(key);
    this.#logger.warn(message, { ...cause, ...more });
  }

  /** The cause is gone. Should it come back, that is worth a line again. */
  settle(message: string, cause: Record<string, string>): void {
    this.#known.delete(keyOf(message, cause));
  }
}

function keyOf(message: string, cause: Record<string, string>): string {
  return [message, ...Object.values(cause).map(value => clip(value, MAX_VALUE_LENGTH))].join('\n');
}
