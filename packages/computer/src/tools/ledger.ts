import type { CallToolResult } from '@a2c-smcp/protocol';

/** How long a result is kept for a repeated request, in milliseconds. */
const KEEP = 10 * 60_000;
/** How much of all results is kept, in characters of their JSON. Of older ones only the fact remains. */
const ROOM = 32 * 1024 * 1024;

interface Entry {
  result: Promise<CallToolResult | undefined>;
  size: number;
  /** Until when the entry counts; a call under way counts for ever. */
  expires: number;
}

/** Remembers calls by their request, so that none is carried out twice. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  #room = ROOM;

  /**
   * What `execute` gives, the first time. A repetition within ten minutes gets the same result, or undefined when
   * that was too large to keep, and executes nothing.
   */
  once(key: string, execute: () => Promise<CallToolResult>): Promise<CallToolResult | undefined> {
    this.#forgetExpired();
    const known = this.#entries.get(key);
    if (known) return known.result;
    const result = execute();
    const entry: Entry = { result, size: 0, expires: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    void result.then(settled => this.#settle(key, entry, settled));
    return result;
  }

  #settle(key: string, entry: Entry, result: CallToolResult): void {
    entry.size = JSON.stringify(result).length;
    entry.expires = Date.now() + KEEP;
    // Entries stand in the order in which they expire.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#room -= entry.size;
    for (const old of this.#entries.values()) {
      if (this.#room >= 0) break;
      this.#drop(old);
    }
  }

  #drop(entry: Entry): void {
    if (entry.size > 0) entry.result = Promise.resolve(undefined);
    this.#room += entry.size;
    entry.size = 0;
  }

  #forgetExpired(): void {
    const now = Date.now();
    for (const [key, entry] of this.#entries) {
      if (entry.expires > now) continue;
      this.#room += entry.size;
      this.#entries.delete(key);
    }
  }
}
