import type { SmcpError } from '@a2c-smcp/protocol';
import { Verbatim } from '../wire/verbatim.ts';
import type { Cluster } from './cluster.ts';
import { disconnected, notFound, unavailable } from './errors.ts';
import type { MessageOf } from './messages.ts';

/** A call to a Computer of another node. */
export interface RemoteCall {
  event: string;
  office: string;
  computer: string;
  /** The event with its arguments, as JSON. */
  body: string | Buffer;
  /** Milliseconds after which the answer is not needed any more. */
  timeout: number;
  onAnswer: (...answer: unknown[]) => void;
  /** Called instead when the Computer cannot be reached, or its node was lost. */
  onFailure: (error: SmcpError) => void;
}

interface PendingCall {
  call: RemoteCall;
  /** Absent while it is looked for. */
  node?: string;
  retried: boolean;
  /** In milliseconds of `performance.now()`. From then on the other node ends the call by itself. */
  deadline: number;
}

/** How often it is looked whether the nodes that have to answer are still there. */
const LOOK_INTERVAL_MS = 50;

/** Sends calls to other nodes, and hands out their answers. */
export class RemoteCalls {
  readonly #cluster: Cluster;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #lookout?: NodeJS.Timeout;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Sends a call. Returns a function that abandons it, here and on the other node. */
  send(call: RemoteCall): () => void {
    const id = ++this.#lastId;
    this.#pending.set(id, { call, retried: false, deadline: performance.now() + call.timeout });
    this.#begin(id, call);
    return () => this.#abandon(id);
  }

  /** Hands out an answer. A Computer that has moved to another node is looked for once more. */
  answered({ id, missing }: MessageOf<'answer'>, body: Buffer): void {
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
      this.#pending.set(id, { ...pending, node: undefined, retried: true });
      this.#begin(id, call);
    }
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
      this.#lookout ??= setTimeout(() => this.#look(), LOOK_INTERVAL_MS).unref();
    }
  }

  /** Fails the calls whose nodes are gone. A node that is there but does nothing is found out by its lease. */
  async #look(): Promise<void> {
    const waiting = [...this.#pending];
    const nodes = new Set(waiting.flatMap(([, { node }]) => node ?? []));
    const gone = nodes.size === 0 ? new Set() : await this.#cluster.gone([...nodes]);
    for (const [id, pending] of waiting) {
      if (gone.has(pending.node) && this.#pending.get(id) === pending) this.#fail(id, disconnected());
    }
    this.#lookout = this.#pending.size > 0 ? setTimeout(() => this.#look(), LOOK_INTERVAL_MS).unref() : undefined;
  }

  #fail(id: number, error: SmcpError): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.call.onFailure(error);
  }

  /** A call whose time is over is left to the other node, which counts it against its Computer. */
  #abandon(id: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending?.node === undefined || performance.now() >= pending.deadline) return;
    this.#cluster.post(pending.node, { type: 'abandon', id, from: this.#cluster.node });
  }
}
