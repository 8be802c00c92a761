import type { Role } from '@a2c-smcp/protocol';
import type { Limits } from '../limits.ts';
import type { MemberInfo } from '../office/roster.ts';
import type { Outcome } from '../relay/call-observer.ts';

/** A call that ended, without its arguments and its result. */
export interface CallRecord {
  /** When it ended, in milliseconds since 1970, like all times here. */
  at: number;
  /** The node of the Agent. */
  node: string;
  event: string;
  office: string;
  agent: string;
  computer: string;
  /** Of a tool call. */
  tool?: string | undefined;
  outcome: Outcome;
  /** The code of the error that the Agent got. */
  code?: number | undefined;
  /** How long it took, in milliseconds. */
  ms: number;
  requestBytes: number;
  responseBytes: number;
}

/** A member that entered or left an office. */
export interface MoveRecord {
  at: number;
  node: string;
  type: 'enter' | 'leave';
  office: string;
  role: Role;
  name: string;
  sid: string;
  version?: string;
  identity?: string;
  address?: string;
}

/** Refusals of one address for one reason within a second, as one entry. */
export interface RefusalRecord {
  at: number;
  node: string;
  /** A reason of the metric `a2c_rejected_total`. */
  reason: string;
  address?: string;
  /** The first message that the client received. */
  message?: string;
  count: number;
}

/** How many calls ended in which way, and how long those took that were not refused. */
export interface CallRates extends Record<Outcome, number> {
  /** Milliseconds, within 10 %. Absent when no call was sent. */
  p50?: number;
  p95?: number;
  p99?: number;
}

/** One second with at least one call. */
export interface SecondRecord {
  /** When it began. */
  at: number;
  total: CallRates;
  events: Record<string, CallRates>;
}

/** The state of one node. A Server without `redis` is one node. */
export interface NodeInfo {
  node: string;
  /** True if it is the one that answered. */
  self: boolean;
  /** False when it did not answer in time. Its numbers are the last known ones then. */
  reachable: boolean;
  /** True if it records calls, joins and refusals: those of nodes without operators are not known. */
  observed: boolean;
  status: 'ok' | 'closing';
  /** Seconds since its start. */
  uptime: number;
  connections: number;
  offices: number;
  members: number;
  inFlight: number;
  /** Bytes since its start. */
  received: number;
  sent: number;
  /** Calls since its start. */
  calls: Record<Outcome, number>;
  /** Refusals since its start, by reason. */
  refusals: Record<string, number>;
}

/** The state of all nodes together. An office with members on two nodes counts twice in `offices`. */
export interface Overview extends Omit<NodeInfo, 'node' | 'self' | 'reachable' | 'observed'> {
  at: number;
  nodes: NodeInfo[];
}

export interface OfficeSummary {
  office: string;
  /** The name of the Agent, if there is one. */
  agent: string | null;
  computers: number;
  /** Calls of the Agent that are not answered yet. */
  inFlight: number;
}

/** A member of an office, on any node. */
export interface OperatorMember extends MemberInfo {
  node: string;
}

/** A frame of the event stream: the state, and what is new since the last frame. */
export interface OperatorFrame {
  overview: Overview;
  /** Seconds that are new or have changed, by time. */
  seconds: SecondRecord[];
  /** The newest ones, oldest first, like the others. */
  calls: CallRecord[];
  /** Calls that ended since the last frame and are not in `calls`. */
  skipped: number;
  moves: MoveRecord[];
  refusals: RefusalRecord[];
}

/** The first frame of the event stream: what is known of the last minutes. */
export interface OperatorSnapshot extends OperatorFrame {
  limits: Limits;
}
