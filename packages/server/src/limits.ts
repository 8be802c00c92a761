import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Bounds for each peer, so that none harms the others. Exceeding one costs the sender an error, or its connection. */
export interface Limits {
  /** Bytes of one message. A larger one is answered with 413. @default 16 MiB */
  messageBytes: number;
  /** Members of one office. @default 1,000 */
  membersPerOffice: number;
  /** Connections of all peers together. @default 10,000 */
  connections: number;
  /** Connections from one address. @default 100 */
  connectionsPerAddress: number;
  /** Calls of one Agent that wait for an answer. @default 256 */
  callsPerAgent: number;
  /**
   * Events per second of one connection, saved up for at most one second. More are refused with 429, and a sender that
   * goes on at several times the rate is disconnected. @default 1,000
   */
  eventsPerSecond: number;
  /**
   * Bytes that may wait for a peer. Calls to a Computer beyond that are refused with 429; a peer that reads nothing within
   * 5 s, or for which twice as much waits, is disconnected. @default 64 MiB
   */
  backlogBytes: number;
  /** Calls in a row that a Computer may leave without an answer; then it is disconnected. @default 1,000 */
  unansweredCalls: number;
}

export const defaultLimits: Limits = {
  messageBytes: 16 * 1024 * 1024,
  membersPerOffice: 1000,
  connections: 10_000,
  connectionsPerAddress: 100,
  callsPerAgent: 256,
  eventsPerSecond: 1000,
  backlogBytes: 64 * 1024 * 1024,
  unansweredCalls: 1000,
};

/**
 * Events of a connection that are queued behind its own join or leave. Among several nodes a join may take seconds, and each event
 * may be as long as a message.
 */
export const MAX_QUEUED_EVENTS = 32;

/** Error 413 for a message that is too long. */
export function tooLarge(size: number, limit: number): SmcpError {
  const message = `The message has ${size} bytes; the limit is ${limit}`;
  return new SmcpError(ErrorCode.TooLarge, message, { details: { size, limit } });
}
