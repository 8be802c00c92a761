import type { CallToolResult } from '@a2c-smcp/protocol';
import { sizeOf } from '../size-of.ts';
import { Fifo } from './fifo.ts';

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
  readonly #results = new Fifo<string, Kept>();
  /** When the fact expires that a request was carried out whose result is gone. */
  readonly #facts = new Fifo<string, number>();
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
    this.#results.add(key, { result, size, expires: Date.now() + KEEP });
    this.#room -= size;
    while (this.#room < 0) {
      const [oldest, { expires }] = this.#dropResultIf(() => true) as [string, Kept];
      this.#facts.add(oldest, expires);
    }
    while (this.#facts.size > FACTS) this.#facts.shiftIf(() => true);
  }

  #forgetExpired(): void {
    const now = Date.now();
    while (this.#dropResultIf(({ expires }) => expires <= now));
    while (this.#facts.shiftIf(expires => expires <= now));
  }

  #dropResultIf(isDue: (kept: Kept) => boolean): [string, Kept] | undefined {
    const dropped = this.#results.shiftIf(isDue);
    if (dropped) this.#room += dropped[1].size;
    return dropped;
  }
}
