import { type Interruption, sizeOf } from '@a2c-smcp/core';
import { type CallToolResult, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { failure } from './failures.ts';

/** Characters of an Agent's name or of a request id, as on our Server. Both are kept for as long as the result is. */
const MAX_ID_LENGTH = 1024;
const MAX_PENDING_CALLS = 10_000;
/** How long a request is remembered after its end. */
const RETENTION_MS = 10 * 60_000;
/** Characters of all results that are kept. Of older ones only the key remains. */
const MAX_RESULTS_LENGTH = 32 * 1024 * 1024;
/** Characters that count for an entry beside its result. */
const ENTRY_LENGTH = 200;
const MAX_KEYS = 100_000;

/** Reasons of a call's signal. */
export const CANCELLED = Symbol('cancelled');
/** Cancelled by the owner. */
export const STOPPED = Symbol('stopped');
export const ABANDONED = Symbol('abandoned');
export const TIME_OVER = Symbol('time over');
export const CLOSED = Symbol('closed');

/** Identifies a request of an Agent. */
export interface CallId {
  agent: string;
  reqId: string;
}

export interface PendingCall {
  result: Promise<CallToolResult>;
  abort: Interruption;
}

interface KeptResult {
  result: CallToolResult;
  size: number;
  expires: number;
}

/**
 * The calls of one Agent session in one office, so that no request is carried out twice. Nothing in here is reachable
 * from another scope.
 */
export class CallScope {
  readonly #pending = new Map<string, PendingCall>();
  readonly #results = new Fifo<string, KeptResult>();
  /** Expiry of requests that were carried out and whose result was dropped. */
  readonly #dropped = new Fifo<string, number>();
  #freeLength = MAX_RESULTS_LENGTH;

  /**
   * The result of a request: the first one if it was made within the last ten minutes or is pending, otherwise that of
   * the call that `start` makes. Throws 400 and 429 when a new call cannot be taken.
   */
  once(id: CallId, start: () => PendingCall): Promise<CallToolResult> | CallToolResult {
    const key = keyOf(id);
    this.#dropExpired();
    const known = this.#pending.get(key)?.result ?? this.#results.get(key)?.result;
    if (known) return known;
    if (this.#dropped.has(key)) {
      return failure(ErrorCode.ToolFailed, 'This request was carried out before, and its result was too large to keep');
    }
    if (this.#pending.size >= MAX_PENDING_CALLS) {
      throw new SmcpError(ErrorCode.TooManyRequests, `More than ${MAX_PENDING_CALLS} calls are pending`);
    }
    const call = start();
    this.#pending.set(key, call);
    const settle = (result?: CallToolResult) => {
      this.#pending.delete(key);
      if (result) this.#keep(key, result);
    };
    call.result.then(settle, () => settle());
    return call.result;
  }

  /** Cancels a pending call. A no-op when it has ended. */
  cancel(id: CallId): void {
    if (isTooLong(id)) return;
    this.#pending.get(keyOf(id))?.abort.abort(CANCELLED);
  }

  /** Aborts all pending calls: no Agent waits for them any more. */
  abandon(): void {
    for (const { abort } of this.#pending.values()) abort.abort(ABANDONED);
  }

  #keep(key: string, result: CallToolResult): void {
    const size = sizeOf(result) + ENTRY_LENGTH;
    this.#results.add(key, { result, size, expires: Date.now() + RETENTION_MS });
    this.#freeLength -= size;
    while (this.#freeLength < 0) {
      const [oldest, { expires }] = this.#dropResultIf(() => true) as [string, KeptResult];
      this.#dropped.add(oldest, expires);
    }
    while (this.#dropped.size > MAX_KEYS) this.#dropped.shiftIf(() => true);
  }

  #dropExpired(): void {
    const now = Date.now();
    while (this.#dropResultIf(({ expires }) => expires <= now));
    while (this.#dropped.shiftIf(expires => expires <= now));
  }

  #dropResultIf(isDue: (kept: KeptResult) => boolean): [string, KeptResult] | undefined {
    const dropped = this.#results.shiftIf(isDue);
    if (dropped) this.#freeLength += dropped[1].size;
    return dropped;
  }
}

function keyOf(id: CallId): string {
  if (isTooLong(id)) {
    throw new SmcpError(
      ErrorCode.BadRequest,
      `'agent' and 'req_id' must not be longer than ${MAX_ID_LENGTH} characters`,
    );
  }
  return `${id.agent.length}:${id.agent}${id.reqId}`;
}

function isTooLong({ agent, reqId }: CallId): boolean {
  return agent.length > MAX_ID_LENGTH || reqId.length > MAX_ID_LENGTH;
}

/**
 * Entries in the order in which they were added. A `Map` alone has the order too, but to find its first entry it walks
 * over the places of all deleted ones.
 */
export class Fifo<K, V> {
  readonly #values = new Map<K, V>();
  #entries: [K, V][] = [];
  /** Where the oldest entry is; those before it are gone. */
  #first = 0;

  get size(): number {
    return this.#values.size;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  /** Adds a key that is not there yet. */
  add(key: K, value: V): void {
    this.#entries.push([key, value]);
    this.#values.set(key, value);
  }

  /** Removes the oldest entry if it `isDue`, and returns it. */
  shiftIf(isDue: (value: V) => boolean): [K, V] | undefined {
    const oldest = this.#entries[this.#first];
    if (!oldest || !isDue(oldest[1])) return undefined;
    this.#first += 1;
    if (2 * this.#first > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    this.#values.delete(oldest[0]);
    return oldest;
  }
}
