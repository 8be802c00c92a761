import { type EnterOfficeReq, ErrorCode, SmcpError } from '@a2c-smcp/protocol';

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
  /**
   * New connections per second of one process, saved up for at most one second. More are refused with HTTP 503 and a
   * `Retry-After` that grows with their number, so that those who reconnect after a failure come one after another.
   * @default 1,000
   */
  handshakesPerSecond: number;
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
  handshakesPerSecond: 1000,
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

/**
 * Connections that wait for a process which is busy: those of all members, after another process ended. One that finds no
 * room is tried again by its kernel after 1, 3, 7 and 15 s. Linux allows at most `net.core.somaxconn`.
 */
export const LISTEN_BACKLOG = 65_535;

/** Error 413 for a message that is too long. */
export function tooLarge(size: number, limit: number): SmcpError {
  const message = `The message has ${size} bytes; the limit is ${limit}`;
  return new SmcpError(ErrorCode.TooLarge, message, { details: { size, limit } });
}

/** Error 429 for a request that is not forwarded because of a limit. Its sender may repeat it later. */
export function limitReached(limit: keyof Limits, value: number, message: string): SmcpError {
  return new SmcpError(ErrorCode.TooManyRequests, message, { details: { limit, value } });
}

/** How many members an office may have, on all nodes together. */
export interface OfficeSize {
  maxMembers: number;
  /** How many of them may be Computers. */
  maxComputers: number;
}

/** The place of a newcomer: what it asks for. */
type Place = Pick<EnterOfficeReq, 'role' | 'name' | 'office_id'>;

/** Another member has the place. */
export function placeTaken({ role, name, office_id }: Place): SmcpError {
  const reason = role === 'agent' ? 'Room already has an agent' : `Another computer in this office is called '${name}'`;
  return new SmcpError(ErrorCode.OfficeFull, reason, { details: { office_id, role } });
}

/** There are as many Computers as there may be. */
export function computersFull({ role, office_id }: Place, { maxComputers }: OfficeSize): SmcpError {
  const reason = `The office has room for ${maxComputers} computers, and has them already`;
  return new SmcpError(ErrorCode.OfficeFull, reason, { details: { office_id, role } });
}

/** There are as many members as there may be. */
export function officeFull({ maxMembers }: OfficeSize): SmcpError {
  return new SmcpError(ErrorCode.TooManyRequests, `The office is full: it has ${maxMembers} members`);
}
