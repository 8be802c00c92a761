import type { Logger } from '@a2c-smcp/protocol';
import { canonical, isEncoded } from './canonical.ts';
import { formsOf, MIN_SECRET_LENGTH, withLineFeeds } from './forms.ts';
import { joinRanges, type Range, TextIndex } from './text-index.ts';

/** Stands in the place of a secret. */
export const MASK = '***';

/** Longest text that is searched, in characters. It bounds the time and memory that one text can take. */
const MAX_TEXT_LENGTH = 256 * 1024;

/** Characters that an encoding may make of one. */
const MAX_ENCODED_WIDTH = 12;

/** Characters that are searched beyond those shown, at most. */
const MAX_LOOKAHEAD_LENGTH = 1024 * 1024;

/** Structures are logged to this depth. */
const MAX_DEPTH = 8;

/** Knows the secrets of a Computer, and keeps them out of everything that people or Agents read. */
export class Secrets {
  readonly #known = new Set<string>();
  readonly #plain = new TextIndex();
  readonly #canonical = new TextIndex();
  readonly #severalLines: string[] = [];
  /** Length of the longest secret. */
  #longest = 0;

  add(values: Iterable<string>): void {
    for (const value of values) {
      if (value.length < MIN_SECRET_LENGTH || this.#known.has(value)) continue;
      this.#known.add(value);
      this.#longest = Math.max(this.#longest, value.length);
      const text = withLineFeeds(value);
      if (text.includes('\n')) this.#severalLines.push(text);
      for (const form of formsOf(value)) {
        this.#plain.add(form);
        this.#canonical.add(canonical(form).text);
      }
    }
  }

  /** The text with every known secret masked, in whatever form it is there, and cut if it is very long. */
  redact = (text: string): string => {
    const { shown, end } = this.#start(text, Math.min(text.length, MAX_TEXT_LENGTH));
    return end < text.length ? `${shown} … (${text.length - end} more characters)` : shown;
  };

  /** The first `length` characters of the text with every known secret masked, also one that reaches beyond them. */
  redactStart(text: string, length: number): string {
    return this.#start(text, length).shown;
  }

  /** The start of the text without secrets, and where in the text it ends. */
  #start(text: string, length: number): { shown: string; end: number } {
    if (this.#known.size === 0) return { shown: text.slice(0, length), end: length };
    let shown = '';
    let next = 0;
    const lookahead = Math.min(this.#longest * MAX_ENCODED_WIDTH, MAX_LOOKAHEAD_LENGTH);
    for (const [start, end] of this.#find(text.slice(0, length + lookahead))) {
      if (start >= length) break;
      shown += text.slice(next, start) + MASK;
      next = end;
    }
    const end = Math.max(next, length);
    return { shown: shown + text.slice(next, end), end };
  }

  /** Where a secret of several lines may begin whose other lines have not come yet; the text's length if none does. */
  unfinished(text: string): number {
    let from = text.length;
    for (const secret of this.#severalLines) {
      for (let end = secret.lastIndexOf('\n', secret.length - 2); end !== -1; end = secret.lastIndexOf('\n', end - 1)) {
        if (text.endsWith(secret.slice(0, end + 1))) from = Math.min(from, text.length - end - 1);
        if (end === 0) break;
      }
    }
    return from;
  }

  /** A logger that never gets a known secret, wherever in a message or its fields it is. */
  guard(logger: Logger): Logger {
    const guarded =
      (level: keyof Logger): Logger[keyof Logger] =>
      (message, fields) =>
        logger[level](this.redact(message), fields && (this.#clean(fields) as Record<string, unknown>));
    return { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
  }

  #find(text: string): Range[] {
    const found = this.#plain.find(text);
    if (!isEncoded(text)) return found;
    const decoded = canonical(text);
    const others = this.#canonical.find(decoded.text).map(([start, end]): Range => decoded.source(start, end));
    return joinRanges(found, others);
  }

  #clean(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return MASK;
    if (value instanceof Error) return this.#cleanError(value, depth);
    if (value instanceof URL) return this.redact(value.href);
    if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
    if (Array.isArray(value)) return value.map(item => this.#clean(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.redact(key), this.#clean(item, depth + 1)]),
    );
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
