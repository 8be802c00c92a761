import type { Cluster } from '../cluster/cluster.ts';
import type { MessageOf } from '../cluster/messages.ts';
import type { Offices } from '../office/offices.ts';
import type { PeerSocket } from '../office/session.ts';
import type { Relay } from './relay.ts';

/** Carries out the calls that other nodes send to Computers of this one. */
export class ForeignCalls {
  readonly #cluster: Cluster;
  readonly #offices: Offices<PeerSocket>;
  readonly #relay: Relay;
  /** By node and id, functions that abandon the calls in flight. */
  readonly #pending = new Map<string, Map<number, () => void>>();

  constructor({ cluster, offices, relay }: { cluster: Cluster; offices: Offices<PeerSocket>; relay: Relay }) {
    this.#cluster = cluster;
    this.#offices = offices;
    this.#relay = relay;
  }

  serve({ from, id, event, office, computer, timeout }: MessageOf<'call'>, body: Buffer): void {
    const member = this.#offices.computer(office, computer);
    if (!member) {
      this.#cluster.post(from, { type: 'answer', id, missing: true }, '', office);
      return;
    }
    // A node counts its calls; a second one of the same number is not from it.
    if (this.#pending.get(from)?.has(id)) return;
    const calls = this.#pending.get(from) ?? new Map<number, () => void>();
    this.#pending.set(from, calls);
    let isAnswered = false;
    const abandon = this.#relay.serve(member.peer, { event, timeout, json: body }, answer => {
      isAnswered = true;
      this.#remove(from, id);
      this.#cluster.post(from, { type: 'answer', id }, answer, office);
    });
    if (!isAnswered) calls.set(id, abandon);
  }

  abandon({ from, id }: MessageOf<'abandon'>): void {
    const abandon = this.#pending.get(from)?.get(id);
    this.#remove(from, id);
    abandon?.();
  }

  /** Abandons the calls of a node that is gone. */
  nodeLost(node: string): void {
    const calls = this.#pending.get(node);
    this.#pending.delete(node);
    for (const abandon of calls?.values() ?? []) abandon();
  }

  #remove(node: string, id: number): void {
    const calls = this.#pending.get(node);
    if (calls?.delete(id) && calls.size === 0) this.#pending.delete(node);
  }
}
