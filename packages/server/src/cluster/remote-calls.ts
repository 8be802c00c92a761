import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { Verbatim } from '../wire/verbatim.ts';
import type { CallMessage } from './channel.ts';
import { type Cluster, unavailable } from './cluster.ts';

/** A call to a Computer of another node. */
export interface RemoteCall {
  event: string;
  office: string;
  computer: string;
  /** The event with its arguments, as JSON. */
  body: string | Buffer;
  /** Milliseconds after which nobody waits for the answer any more. */
  timeout: number;
  onAnswer: (...answer: unknown[]) => void;
  /** Called instead when the Computer cannot be reached, or its node was lost. */
  onFailure: (error: SmcpError) => void;
}

interface Pending {
  call: RemoteCall;
  /** Absent while it is looked for. */
  node?: string;
  retried: boolean;
}

type IncomingCall = Extract<CallMessage, { type: 'call' }>;
type IncomingAnswer = Extract<CallMessage, { type: 'answer' }>;

/** How often it is looked whether the nodes that have to answer are still there, in milliseconds. */
const LOOK_INTERVAL = 50;

/** Carries calls between nodes and their answers back. */
export class RemoteCalls {
  readonly #cluster: Cluster;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #lookout?: NodeJS.Timeout;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Sends a call. Returns a function that stops waiting for its answer. */
  send(call: RemoteCall): () => void {
    const id = ++this.#lastId;
    this.#pending.set(id, { call, retried: false });
    this.#begin(id, call);
    return () => this.#pending.delete(id);
  }

  /** Hands an answer to whoever waits for it. A Computer that has moved to another node is looked for once more. */
  answered({ id, missing }: IncomingAnswer, body: Buffer): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    const { call } = pending;
    if (!missing) {
      this.#pending.delete(id);
      call.onAnswer(new Verbatim(body));
    } else if (pending.retried) {
      this.#fail(id, notFound(call.computer));
    } else {
      this.#cluster.forget(call.office, call.computer);
      this.#pending.set(id, { call, retried: true });
      this.#begin(id, call);
    }
  }

  /** Answers a call of another node. */
  answer({ from, id }: IncomingCall, answer: unknown[]): void {
    const [first] = answer;
    const body = first instanceof Verbatim ? first.json : JSON.stringify(answer);
    this.#reply(from, { type: 'answer', id }, body);
  }

  /** Tells another node that the Computer it looks for is not here. */
  missing({ from, id }: IncomingCall): void {
    this.#reply(from, { type: 'answer', id, missing: true });
  }

  /** Fails all calls that a lost node had to answer. */
  nodeLost(node: string): void {
    for (const [id, pending] of this.#pending) if (pending.node === node) this.#fail(id, disconnected());
  }

  /** Fails all calls: no other node can be reached. */
  cutOff(): void {
    for (const id of this.#pending.keys()) this.#fail(id, unavailable());
  }

  #begin(id: number, { office, computer }: RemoteCall): void {
    const node = this.#cluster.whereabouts(office, computer);
    if (node === undefined) this.#find(id, office, computer).catch((error: SmcpError) => this.#fail(id, error));
    else this.#post(id, node);
  }

  async #find(id: number, office: string, computer: string): Promise<void> {
    const node = await this.#cluster.find(office, computer);
    if (node === undefined) throw notFound(computer);
    this.#post(id, node);
  }

  #post(id: number, node: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.node = node;
    const { event, office, computer, timeout, body } = pending.call;
    const { node: from, available } = this.#cluster;
    if (!available) {
      this.#fail(id, unavailable());
    } else {
      this.#cluster.post(node, { type: 'call', id, from, event, office, computer, timeout }, body);
      this.#lookout ??= setTimeout(() => this.#look(), LOOK_INTERVAL).unref();
    }
  }

  /** While this node is cut off, whoever waits for the answer hears that from its own node. */
  #reply(node: string, message: IncomingAnswer, body?: string | Buffer): void {
    if (this.#cluster.available) this.#cluster.post(node, message, body);
  }

  /** Fails the calls whose nodes are gone. A node that is there but does nothing is found out by its lease. */
  async #look(): Promise<void> {
    const waiting = [...this.#pending];
    const nodes = new Set(waiting.flatMap(([, { node }]) => node ?? []));
    const gone = nodes.size === 0 ? new Set() : await this.#cluster.gone([...nodes]);
    for (const [id, pending] of waiting) {
      if (gone.has(pending.node) && this.#pending.get(id) === pending) this.#fail(id, disconnected());
    }
    this.#lookout = this.#pending.size > 0 ? setTimeout(() => this.#look(), LOOK_INTERVAL).unref() : undefined;
  }

  #fail(id: number, error: SmcpError): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.call.onFailure(error);
  }
}

function notFound(computer: string): SmcpError {
  return new SmcpError(ErrorCode.NotFound, `No computer '${computer}' in this office`);
}

/** What an Agent hears when a Computer is gone before it answered. */
export function disconnected(): SmcpError {
  const details = { reason: 'computer_disconnected' };
  return new SmcpError(ErrorCode.NotFound, 'The computer disconnected before it answered', { details });
}
