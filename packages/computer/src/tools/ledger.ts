import type { CallToolResult } from '@a2c-smcp/protocol';

/** How long a request counts as known after its end, in milliseconds. */
const KEEP = 10 * 60_000;
/** How much of all results is kept, in characters. Of older ones only the fact remains. */
const ROOM = 32 * 1024 * 1024;
/** What an entry takes beside its result. */
const OVERHEAD = 200;
/** How many facts are kept; beyond that the oldest are forgotten early. */
const FACTS = 100_000;

interface Kept {
  result: CallToolResult;
  size: number;
  expires: number;
}

/** Remembers calls by their request, so that none is carried out twice. */
export class Ledger {
  readonly #underWay = new Map<string, Promise<CallToolResult>>();
  /** In the order in which they expire. */
  readonly #results = new Map<string, Kept>();
  /** When the fact expires that a request was carried out whose result is gone; in that order. */
  readonly #facts = new Map<string, number>();
  #room = ROOM;

  /**
   * What `execute` gives, the first time. A repetition within ten minutes gets the same result, or undefined when
   * that was not kept, and executes nothing.
   */
  async once(key: string, execute: () => Promise<CallToolResult>): Promise<CallToolResult | undefined> {
    this.#forgetExpired();
    const known = this.#underWay.get(key) ?? this.#results.get(key)?.result;
    if (known || this.#facts.has(key)) return known;
    const call = execute();
    this.#underWay.set(key, call);
    try {
      const result = await call;
      this.#keep(key, result);
      return result;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #keep(key: string, result: CallToolResult): void {
    const size = sizeOf(result) + OVERHEAD;
    this.#results.set(key, { result, size, expires: Date.now() + KEEP });
    this.#room -= size;
    for (const [oldest, { expires }] of this.#results) {
      if (this.#room >= 0) break;
      this.#drop(oldest);
      this.#facts.set(oldest, expires);
    }
    for (const oldest of this.#facts.keys()) {
      if (this.#facts.size <= FACTS) break;
      this.#facts.delete(oldest);
    }
  }

  #drop(key: string): void {
    this.#room += this.#results.get(key)?.size ?? 0;
    this.#results.delete(key);
  }

  #forgetExpired(): void {
    const now = Date.now();
    for (const [key, { expires }] of this.#results) {
      if (expires > now) break;
      this.#drop(key);
    }
    for (const [key, expires] of this.#facts) {
      if (expires > now) break;
      this.#facts.delete(key);
    }
  }
}

/** About how many characters a value takes as JSON, without making it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const key in value) size += key.length + 3 + sizeOf((value as Record<string, unknown>)[key]);
  return size;
}
