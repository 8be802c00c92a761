import type { Logger } from '@a2c-smcp/protocol';

/** What stands in the place of a secret. */
export const MASK = '***';

/** Shorter values are no secrets worth hiding, and hiding them would make texts unreadable. */
const SHORTEST = 5;

/** Knows the secrets of this Computer, to keep them out of everything that people or Agents read. */
export class Secrets {
  readonly #values = new Set<string>();
  #pattern: RegExp | undefined;

  add(values: Iterable<string>): void {
    const before = this.#values.size;
    for (const value of values) if (value.length >= SHORTEST) this.#values.add(value);
    if (this.#values.size > before) this.#pattern = undefined;
  }

  /** The text with every known secret masked. */
  redact = (text: string): string => {
    if (this.#values.size === 0) return text;
    // Longest first: one secret may contain another.
    this.#pattern ??= new RegExp(
      [...this.#values]
        .toSorted((a, b) => b.length - a.length)
        .map(literally)
        .join('|'),
      'g',
    );
    return text.replace(this.#pattern, MASK);
  };

  /** The structure with every known secret masked in its strings. */
  redactAll<T>(structure: T): T {
    return this.#clean(structure) as T;
  }

  /** A logger that never sees a known secret, wherever in a message or its fields it hides. */
  guard(logger: Logger): Logger {
    const guarded =
      (level: keyof Logger): Logger[keyof Logger] =>
      (message, fields) =>
        logger[level](this.redact(message), fields && (this.#clean(fields) as Record<string, unknown>));
    return { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
  }

  #clean(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > 8) return MASK;
    if (value instanceof Error) return this.#cleanError(value, depth);
    if (Array.isArray(value)) return value.map(item => this.#clean(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#clean(item, depth + 1)]));
  }

  #cleanError(error: Error, depth: number): Record<string, unknown> {
    const { name, message, stack, cause } = error;
    return {
      name,
      message: this.redact(message),
      ...(stack === undefined ? {} : { stack: this.redact(stack) }),
      ...(cause === undefined ? {} : { cause: this.#clean(cause, depth + 1) }),
    };
  }
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
