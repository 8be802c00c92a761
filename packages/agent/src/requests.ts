import { type Peer, randomId } from '@a2c-smcp/peer';
import { MAX_TIMEOUT_S, type RequestEventName, type RequestOf, type ResponseOf } from '@a2c-smcp/protocol';

/** The last argument of every request. */
export interface RequestOptions {
  /** Milliseconds until the request fails, the time to reconnect included. */
  timeout?: number;
  /** Fails the request at once. */
  signal?: AbortSignal;
}

/** Drops the index signature of loose schemas, so that misspelled fields are compile errors. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The fields of a request without those that every request has. */
type Subject<E extends RequestEventName> = Omit<Named<RequestOf<E>>, 'agent' | 'req_id'>;

const ID_PREFIX = randomId().slice(8);
let lastId = 0;

/** 32 hexadecimal digits, unique among all requests. */
export function requestId(): string {
  lastId += 1;
  return ID_PREFIX + lastId.toString(16).padStart(8, '0');
}

/** Milliseconds as the wire has them: whole seconds, rounded up. */
export function wholeSeconds(timeout: number): number {
  const seconds = Math.ceil(timeout / 1000);
  if (!(seconds >= 1 && seconds <= MAX_TIMEOUT_S)) {
    throw new TypeError(`'timeout' must be from 1 to ${MAX_TIMEOUT_S * 1000} milliseconds, not ${timeout}`);
  }
  return seconds;
}

/** Sends the requests of one Agent, with its name and a new id in each. */
export class Requests {
  readonly #peer: Peer;
  readonly #timeout: number;

  /** @param timeout milliseconds, for requests without one */
  constructor(peer: Peer, timeout: number) {
    this.#peer = peer;
    this.#timeout = timeout;
  }

  async send<E extends RequestEventName>(
    event: E,
    subject: Subject<E>,
    { timeout = this.#timeout, signal }: RequestOptions = {},
  ): Promise<ResponseOf<E>> {
    // `subject`, `agent` and `req_id` are the full request; TypeScript cannot prove it for every `E`.
    const request = { ...subject, agent: this.#peer.name, req_id: requestId() } as unknown as RequestOf<E>;
    return this.#peer.call(event, request, { timeout, signal });
  }
}
