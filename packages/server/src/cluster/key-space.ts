import { routeOf } from '@a2c-smcp/protocol';

/** The default of the option `cluster`. */
export const DEFAULT_CLUSTER = 'main';

/** How many parts the offices have in a Redis Cluster, which puts each on one of its shards. */
export const CLUSTER_PARTITIONS = 32;

/** The keys of one part of the offices. Scripts use several of them, so all are in one slot. */
export interface Partition {
  /** Exists while the data of the part is complete, or about to be. */
  epoch: string;
  /** Exists while nodes register their members anew. */
  settling: string;
  /** With the name of an office, the key of its members. */
  offices: string;
  /** The key of the places that the members of a node have. */
  membersOf(node: string): string;
}

/**
 * The names of all keys and channels of one cluster. Redis separates the keys of its databases but not their channels, so
 * the number of the database is part of every name. In a Redis Cluster the part in braces decides the slot of a key.
 */
export class KeySpace {
  /** A set of all nodes. */
  readonly nodes: string;
  /** A set of nodes that are gone and whose members are about to be removed. */
  readonly departed: string;
  readonly partitions: readonly Partition[];
  /** The channel of all nodes. */
  readonly everyone: string;
  readonly #prefix: string;
  /** Begins the keys that are about nodes. */
  readonly #root: string;

  /** @param partitions more than one for a Redis Cluster */
  constructor(database: number, cluster: string, partitions = 1) {
    checkClusterName(cluster);
    this.#prefix = `a2c:${database}:${cluster}:`;
    this.#root = partitions === 1 ? this.#prefix : `${this.#prefix}{nodes}:`;
    this.nodes = `${this.#root}nodes`;
    this.departed = `${this.#root}departed`;
    this.everyone = `${this.#prefix}everyone`;
    this.partitions = Array.from({ length: partitions }, (_, index) =>
      createPartition(partitions === 1 ? this.#prefix : `${this.#prefix}{${index}}:`),
    );
  }

  /** The part of the keys that an office belongs to. */
  partitionOf(office: string): Partition {
    const { partitions } = this;
    const index = partitions.length === 1 ? 0 : Number.parseInt(routeOf(office), 16) % partitions.length;
    return partitions[index] as Partition;
  }

  leaseOf(node: string): string {
    return `${this.#root}lease:${node}`;
  }

  /** The channel of one node. */
  channelOf(node: string): string {
    return `${this.#prefix}node:${node}`;
  }
}

function createPartition(prefix: string): Partition {
  return {
    epoch: `${prefix}epoch`,
    settling: `${prefix}settling`,
    offices: `${prefix}office:`,
    membersOf: node => `${prefix}members:${node}`,
  };
}

/** Without colons, so that no name makes the keys of one cluster those of another. */
function checkClusterName(name: string): void {
  if (/^[\w.-]{1,64}$/.test(name)) return;
  throw new TypeError(`The cluster '${name.slice(0, 64)}' needs a name of 1 to 64 letters, digits, '_', '.' or '-'`);
}
