/** The default of the option `cluster`. */
export const DEFAULT_CLUSTER = 'main';

/**
 * The names of all keys and channels of one cluster. Redis separates the keys of its databases but not their channels, so
 * the number of the database is part of every name.
 */
export class KeySpace {
  /** A set of all nodes. */
  readonly nodes: string;
  /** Exists while the data of the cluster is complete, or about to be. */
  readonly epoch: string;
  /** Exists while nodes register their members anew. */
  readonly settling: string;
  /** With the name of an office, the key of its members. */
  readonly offices: string;
  /** The channel of all nodes. */
  readonly everyone: string;
  readonly #prefix: string;

  constructor(database: number, cluster: string) {
    checkClusterName(cluster);
    this.#prefix = `a2c:${database}:${cluster}:`;
    this.nodes = `${this.#prefix}nodes`;
    this.epoch = `${this.#prefix}epoch`;
    this.settling = `${this.#prefix}settling`;
    this.offices = `${this.#prefix}office:`;
    this.everyone = `${this.#prefix}everyone`;
  }

  /** The key of the places that the members of a node have. */
  membersOf(node: string): string {
    return `${this.#prefix}members:${node}`;
  }

  leaseOf(node: string): string {
    return `${this.#prefix}lease:${node}`;
  }

  /** The channel of one node. */
  channelOf(node: string): string {
    return `${this.#prefix}node:${node}`;
  }
}

/** Without colons, so that no name makes the keys of one cluster those of another. */
function checkClusterName(name: string): void {
  if (/^[\w.-]{1,64}$/.test(name)) return;
  throw new TypeError(`The cluster '${name.slice(0, 64)}' needs a name of 1 to 64 letters, digits, '_', '.' or '-'`);
}
