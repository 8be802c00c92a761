import { PendingCalls } from '@a2c-smcp/core';
import type { SmcpError } from '@a2c-smcp/protocol';
import type { Arguments } from '../wire/channel.ts';
import type { Cluster } from './cluster.ts';
import { disconnected, notFound, unavailable } from './errors.ts';
import type { MessageOf } from './messages.ts';

/** A call to a Computer of another node. */
export interface RemoteCall {
  event: string;
  office: string;
  computer: string;
  /** The event with its arguments. */
  json: Arguments;
  /** Milliseconds after which the answer is not needed any more. */
  timeout: number;
  onAnswer: (answer: Arguments) => void;
  /** Called instead when the Computer cannot be reached, or its node was lost. */
  onFailure: (error: SmcpError) => void;
}

interface SentCall extends RemoteCall {
  /** Absent while the Computer is looked for. */
  node?: string | undefined;
  isRetried: boolean;
  /** In milliseconds of `performance.now()`. From then on the other node ends the call by itself. */
  deadline: number;
}

/** Milliseconds between two checks of whether the nodes that have to answer are still there. */
const CHECK_INTERVAL_MS = 50;

/** Sends calls to other nodes, and takes their answers. */
export class RemoteCalls {
  readonly #cluster: Cluster;
  readonly #pending = new PendingCalls<SentCall>({ firstId: 1 });
  #timer?: NodeJS.Timeout;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Sends a call. Returns a function that abandons it, here and on the other node. */
  send(call: RemoteCall): () => void {
    const id = this.#pending.add({ isRetried: false, deadline: performance.now() + call.timeout, ...call });
    this.#begin(id, call);
    return () => this.#abandon(id);
  }

  /** Takes an answer. A Computer that has moved to another node is looked for once more. */
  answered({ id, missing }: MessageOf<'answer'>, body: Buffer): void {
    const call = this.#pending.get(id);
    if (!call) return;
    if (!missing) {
      this.#pending.take(id)?.onAnswer(body);
    } else if (call.isRetried) {
      this.#fail(id, notFound(call.computer));
    } else {
      this.#cluster.forget(call.office, call.computer);
      Object.assign(call, { node: undefined, isRetried: true });
      this.#begin(id, call);
    }
  }

  /** Fails all calls that a lost node had to answer. */
  nodeLost(node: string): void {
    for (const call of this.#pending.takeAll(pending => pending.node === node)) call.onFailure(disconnected());
  }

  /** Fails all calls whose answers may be lost, although the node that has to give them may be there. */
  messagesLost(node: string): void {
    for (const [id, call] of this.#pending.entries()) {
      if (call.node !== node) continue;
      this.#abandon(id);
      call.onFailure(disconnected());
    }
  }

  /** Fails all calls: no other node can be reached. */
  cutOff(): void {
    for (const call of this.#pending.takeAll()) call.onFailure(unavailable());
  }

  #begin(id: number, { office, computer }: RemoteCall): void {
    const node = this.#cluster.whereabouts(office, computer);
    if (node === undefined) this.#find(id, office, computer).catch((error: SmcpError) => this.#fail(id, error));
    else this.#post(id, node);
  }

  async #find(id: number, office: string, computer: string): Promise<void> {
    const node = await this.#cluster.find(office, computer);
    if (node === undefined) throw notFound(computer, await this.#cluster.members(office));
    this.#post(id, node);
  }

  #post(id: number, node: string): void {
    const call = this.#pending.get(id);
    if (!call) return;
    call.node = node;
    const { event, office, computer, timeout, json } = call;
    const { node: from, available } = this.#cluster;
    if (!available) {
      this.#fail(id, unavailable());
    } else {
      this.#cluster.post(node, { type: 'call', id, from, event, office, computer, timeout }, json, office);
      this.#timer ??= setTimeout(() => this.#check(), CHECK_INTERVAL_MS).unref();
    }
  }

  /** Fails the calls whose nodes are gone. A node that is there but hangs is found by its lease. */
  async #check(): Promise<void> {
    const sent = new Map([...this.#pending].map(call => [call, call.node]));
    const nodes = new Set([...sent.values()].filter(node => node !== undefined));
    const gone = nodes.size === 0 ? new Set() : await this.#cluster.gone([...nodes]);
    // A call may have been sent to another node meanwhile.
    const isLost = (call: SentCall) => gone.has(call.node) && sent.get(call) === call.node;
    for (const call of this.#pending.takeAll(isLost)) call.onFailure(disconnected());
    this.#timer = this.#pending.size > 0 ? setTimeout(() => this.#check(), CHECK_INTERVAL_MS).unref() : undefined;
  }

  #fail(id: number, error: SmcpError): void {
    this.#pending.take(id)?.onFailure(error);
  }

  /** A call whose time is over is left to the other node, which counts it against its Computer. */
  #abandon(id: number): void {
    const call = this.#pending.take(id);
    if (call?.node === undefined || performance.now() >= call.deadline) return;
    this.#cluster.post(call.node, { type: 'abandon', id, from: this.#cluster.node });
  }
}
