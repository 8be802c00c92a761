import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { Verbatim } from '../wire/verbatim.ts';
import type { NodeMessage } from './channel.ts';
import type { Cluster } from './cluster.ts';

/** A call to a Computer of another node. */
export interface RemoteCall {
  event: string;
  office: string;
  computer: string;
  /** All arguments of the request, as JSON. */
  body: string;
  /** Milliseconds after which nobody waits for the answer any more. */
  timeout: number;
  onAnswer: (...answer: unknown[]) => void;
  /** Called instead when the Computer cannot be reached, or its node was lost. */
  onFailure: (error: SmcpError) => void;
}

interface Pending extends RemoteCall {
  node: string;
  retried: boolean;
}

type IncomingCall = Extract<NodeMessage, { type: 'call' }>;

/** Carries calls between nodes and their answers back. */
export class RemoteCalls {
  readonly #cluster: Cluster;
  readonly #pending = new Map<string, Pending>();
  #lastId = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Sends a call. Returns a function that stops waiting for its answer. */
  send(call: RemoteCall): () => void {
    const id = String(++this.#lastId);
    this.#begin(id, call, false);
    return () => this.#pending.delete(id);
  }

  /** Hands an answer to whoever waits for it. A Computer that has moved to another node is looked for once more. */
  answered({ id, body, missing }: Extract<NodeMessage, { type: 'answer' }>): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    if (!missing) {
      call.onAnswer(new Verbatim(body));
    } else if (call.retried) {
      call.onFailure(notFound(call.computer));
    } else {
      this.#cluster.forget(call.office, call.computer);
      this.#begin(id, call, true);
    }
  }

  /** Answers a call of another node. */
  async answer({ from, id }: IncomingCall, answer: unknown[]): Promise<void> {
    const [first] = answer;
    const body = first instanceof Verbatim ? String(first.json) : JSON.stringify(answer);
    await this.#cluster.send(from, { type: 'answer', id, body });
  }

  /** Tells another node that the Computer it looks for is not here. */
  async missing({ from, id }: IncomingCall): Promise<void> {
    await this.#cluster.send(from, { type: 'answer', id, missing: true, body: '' });
  }

  /** Fails all calls that a lost node had to answer. */
  nodeLost(node: string): void {
    for (const [id, call] of this.#pending) {
      if (call.node !== node) continue;
      this.#pending.delete(id);
      call.onFailure(disconnected());
    }
  }

  #begin(id: string, call: RemoteCall, retried: boolean): void {
    this.#dispatch(id, call, retried).catch((error: SmcpError) => {
      this.#pending.delete(id);
      call.onFailure(error);
    });
  }

  async #dispatch(id: string, call: RemoteCall, retried: boolean): Promise<void> {
    const { event, office, computer, body, timeout } = call;
    const { node: from } = this.#cluster;
    const node = this.#cluster.whereabouts(office, computer) ?? (await this.#cluster.find(office, computer));
    if (node === undefined) throw notFound(computer);
    this.#pending.set(id, { ...call, node, retried });
    if (await this.#cluster.send(node, { type: 'call', id, from, event, office, computer, timeout, body })) return;
    this.#cluster.forget(office, computer);
    throw disconnected();
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
