import type { WorkerReport } from '../inlet.ts';

/** Connections that were opened, or closed below zero, by address. */
export type Changes = Record<string, number>;

/** From the process that accepts connections to a worker. */
export type ToWorker =
  /** The first message. `lost` are nodes that have ended and whose members are to be removed. */
  | { type: 'begin'; index: number; redis: string; settings: unknown; crowd: Changes; lost: string[] }
  /** All workers are ready, and clients can connect. */
  | { type: 'listening'; url: string }
  /** Has a connection beside it, and the bytes that were read from it. */
  | { type: 'connection'; head: string }
  /** Connections of other workers. */
  | { type: 'crowd'; changes: Changes }
  /** A worker has ended. */
  | { type: 'lost'; node: string }
  /** Asks for a report. */
  | { type: 'report'; id: number }
  /** The reports that a worker asked for, without its own. */
  | { type: 'reports'; id: number; reports: WorkerReport[] }
  | { type: 'stop' };

/** From a worker to the process that accepts connections. */
export type FromWorker =
  | { type: 'ready'; node: string }
  /** The worker cannot begin. `isUsage` when the settings are the reason. */
  | { type: 'failed'; message: string; isUsage: boolean }
  | { type: 'crowd'; changes: Changes }
  | { type: 'report'; id: number; report: WorkerReport }
  /** Asks for the reports of the others. */
  | { type: 'reports'; id: number };

/** Begins the ids of connections of a worker. */
export function tagOf(index: number): string {
  return `${index.toString(36)}.`;
}
