import { type Peer, randomId } from '@a2c-smcp/peer';
import type { RequestEventName, RequestOf, ResponseOf } from '@a2c-smcp/protocol';

/** What every request accepts last. */
export interface RequestOptions {
  /** Milliseconds to wait for the answer, the wait for a lost connection included. */
  timeout?: number;
  /** Stops waiting at once. */
  signal?: AbortSignal;
}

/** The fields that the protocol names. Its structures accept any other besides, which would hide typing errors. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** Says what a request is about, without the fields that every request has. */
type Subject<E extends RequestEventName> = Omit<Named<RequestOf<E>>, 'agent' | 'req_id'>;

const PREFIX = randomId().slice(8);
let last = 0;

/** 32 hexadecimal digits that are never used twice. */
export function requestId(): string {
  last += 1;
  return PREFIX + last.toString(16).padStart(8, '0');
}

/** The requests of one Agent: fills in who asks, under an id that is never used twice. */
export class Requests {
  readonly #peer: Peer;
  readonly #timeout: number;

  /** @param timeout milliseconds, for requests that bring none */
  constructor(peer: Peer, timeout: number) {
    this.#peer = peer;
    this.#timeout = timeout;
  }

  async send<E extends RequestEventName>(
    event: E,
    subject: Subject<E>,
    { timeout = this.#timeout, signal }: RequestOptions = {},
  ): Promise<ResponseOf<E>> {
    // What a request lacks besides its subject is exactly the identity.
    const request = { ...subject, agent: this.#peer.name, req_id: requestId() } as unknown as RequestOf<E>;
    return this.#peer.call(event, request, { timeout, signal });
  }
}
