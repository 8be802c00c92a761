import type { Logger } from '@a2c-smcp/core';
import { canonical } from './canonical.ts';
import { redactFields } from './fields.ts';
import { formsOf, MIN_SECRET_LENGTH, withLineFeeds } from './forms.ts';
import { MASK } from './mask.ts';
import { readings } from './readings.ts';
import { joinRanges, type Range, TextIndex } from './text-index.ts';

/** Longest text that is searched, in characters. It bounds the time and memory that one text can take. */
const MAX_TEXT_LENGTH = 256 * 1024;

/** Characters that an encoding may make of one. */
const MAX_ENCODED_WIDTH = 12;

/** Characters that are searched beyond those shown, at most. */
const MAX_LOOKAHEAD_LENGTH = 1024 * 1024;

/** Knows the secrets of a Computer, and keeps them out of everything that people or Agents read. */
export class Secrets {
  readonly #known = new Set<string>();
  /** Values that are known because of one MCP server alone, by its name. */
  readonly #ofServers = new Map<string, Set<string>>();
  /** Values that are renewed from time to time, those before included. */
  readonly #renewed = new Map<string, string[][]>();
  #plain = new TextIndex();
  #canonical = new TextIndex();
  #encoded = new TextIndex();
  #severalLines: string[] = [];
  /** Length of the longest secret. */
  #longest = 0;

  /** @param server the MCP server with which the values are forgotten; without one they never are */
  add(values: Iterable<string>, server?: string): void {
    const known = server === undefined ? this.#known : (this.#ofServers.get(server) ?? new Set());
    if (server !== undefined) this.#ofServers.set(server, known);
    for (const value of values) {
      if (value.length < MIN_SECRET_LENGTH || known.has(value)) continue;
      known.add(value);
      this.#index([value]);
    }
  }

  /** Forgets what only one MCP server had. */
  forget(server: string): void {
    if (this.#ofServers.delete(server)) this.#indexAll();
  }

  /** Adds values in the place of those that `name` had the time before last. */
  renew(name: string, values: string[]): void {
    const [former = []] = this.#renewed.get(name) ?? [];
    if (values.every(value => former.includes(value))) return;
    this.#renewed.set(name, [values, former]);
    this.#indexAll();
  }

  #indexAll(): void {
    this.#plain = new TextIndex();
    this.#canonical = new TextIndex();
    this.#encoded = new TextIndex();
    this.#severalLines = [];
    const ofServers = [...this.#ofServers.values()].flatMap(values => [...values]);
    this.#index(new Set([...this.#known, ...ofServers, ...[...this.#renewed.values()].flat(2)]));
  }

  #index(values: Iterable<string>): void {
    for (const value of values) {
      if (value.length < MIN_SECRET_LENGTH) continue;
      this.#longest = Math.max(this.#longest, value.length);
      const text = withLineFeeds(value);
      if (text.includes('\n')) this.#severalLines.push(text);
      const { texts, encoded } = formsOf(value);
      for (const form of [...texts, ...encoded]) {
        this.#plain.add(form);
        const bytes = canonical(form).text;
        this.#canonical.add(bytes);
        // Some programs escape code points where others escape bytes.
        this.#canonical.add(Buffer.from(bytes, 'latin1').toString());
      }
      for (const form of encoded) this.#encoded.add(form);
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
    if (this.#longest === 0) return { shown: text.slice(0, length), end: length };
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
        logger[level](this.redact(message), fields && redactFields(fields, this.redact));
    return { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
  }

  #find(text: string): Range[] {
    const others = readings(text).flatMap(({ forms, text: read, source }) =>
      (forms === 'encoded' ? this.#encoded : this.#canonical).find(read).map(range => source(...range)),
    );
    return joinRanges(this.#plain.find(text), others);
  }
}
