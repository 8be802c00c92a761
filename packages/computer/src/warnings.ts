import { clip, type Logger } from '@a2c-smcp/core';

/** A problem of a published resource that its author should know of and that harms nothing else. */
export interface Problem {
  /** Never changes; docs/reference/inspect.md has a heading for each. */
  code: string;
  /** Constant; together with the server and the URI it is the cause. */
  message: string;
  /** The offending values. */
  fields?: Record<string, unknown>;
}

/** A problem, and the MCP server that has it. */
export interface ResourceProblem extends Problem {
  server: string;
  /** Absent for a problem of the whole server. */
  uri?: string;
}

/** A server that invents ever new causes must not fill the memory. */
const MAX_CAUSES = 10_000;
/** Characters of each value that tell one cause from another. */
const MAX_VALUE_LENGTH = 500;

/** Logs each cause of a warning once. */
export class Warnings {
  readonly #logger: Logger;
  readonly #known = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * @param cause identifies the cause together with the message
   * @param more further fields of the log line
   */
  warn(message: string, cause: Record<string, string>, more: Record<string, unknown> = {}): void {
    const key = keyOf(message, cause);
    if (this.#known.has(key)) return;
    if (this.#known.size >= MAX_CAUSES) this.#known.clear();
    this.#known.add(key);
    this.#logger.warn(message, { ...cause, ...more });
  }

  /** The cause is gone. Its next occurrence is logged again. */
  settle(message: string, cause: Record<string, string>): void {
    this.#known.delete(keyOf(message, cause));
  }
}

function keyOf(message: string, cause: Record<string, string>): string {
  return [message, ...Object.values(cause).map(value => clip(value, MAX_VALUE_LENGTH))].join('\n');
}
