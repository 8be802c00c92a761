import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';
import type { Namespace } from 'socket.io';
import { Adapter, type BroadcastOptions } from 'socket.io-adapter';
import { PacketType } from 'socket.io-parser';
import type { EncodedArguments } from '../wire/parser.ts';
import type { Cluster } from './cluster.ts';
import type { MessageOf } from './messages.ts';

/** The Socket.IO adapter that carries notifications to the members of an office on all nodes. */
export function createClusterAdapter(cluster: Cluster): (namespace: Namespace) => Adapter {
  // Not an arrow function: Socket.IO calls it with `new`.
  return function create(namespace) {
    return namespace.name === SMCP_NAMESPACE ? new ClusterAdapter(namespace, cluster) : new Adapter(namespace);
  };
}

/** Carries broadcasts to one room, and nothing else: no other node can move, list or disconnect sockets. */
export class ClusterAdapter extends Adapter {
  readonly #cluster: Cluster;

  constructor(namespace: Namespace, cluster: Cluster) {
    super(namespace);
    this.#cluster = cluster;
  }

  override broadcast(packet: { data: unknown }, options: BroadcastOptions): void {
    const json = JSON.stringify(packet.data);
    const except = [...(options.except ?? [])];
    for (const room of options.rooms) this.#cluster.broadcast({ room, except }, json);
    this.#emit(json, options);
  }

  /** Emits the broadcast of another node to the members of its room that are here. */
  receive({ room, except }: MessageOf<'broadcast'>, body: Buffer): void {
    if (this.rooms.has(room)) this.#emit(body, { rooms: new Set([room]), except: new Set(except) });
  }

  /** Not parsed, so that a broadcast that one node could stringify cannot exhaust the stack of another. */
  #emit(json: string | Buffer, options: BroadcastOptions): void {
    super.broadcast({ type: PacketType.EVENT, data: { json } satisfies EncodedArguments }, options);
  }
}
