import type { Server as HttpServer } from 'node:http';
import type { AddressBook } from './http/addresses.ts';
import type { Health } from './http/operations.ts';

/** The state of one worker. */
export interface WorkerReport {
  health: Health;
  /** Adds up with those of others; see `mergeMetrics`. */
  metrics: object[];
}

/** The Server of a worker, as the process that accepts its connections needs it. */
export interface WorkerServer {
  http: HttpServer;
  /** Its name among the nodes. */
  node: string;
  /** Removes a worker that has ended from the nodes. */
  bury(node: string): Promise<void>;
  report(): Promise<WorkerReport>;
}

/** Gives a Server the connections that another process accepts, in place of a port. */
export interface Inlet {
  /** Where clients connect. */
  readonly url: string;
  /** The first characters of the ids of its connections: requests that name one are for this worker. */
  readonly tag: string;
  /** The connections of the other workers. */
  readonly elsewhere: Pick<AddressBook, 'total' | 'count'>;
  /** Counts a connection of this worker. */
  count(address: string, change: number): void;
  /** Begins to hand over connections. */
  open(server: WorkerServer): void;
  /** The state of all workers, this one first. */
  reports(): Promise<WorkerReport[]>;
}
