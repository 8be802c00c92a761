import { fieldsOf } from '@a2c-smcp/core';
import type { Health } from '../http/operations.ts';
import type { Hub } from '../hub.ts';
import { describeMember } from '../office/roster.ts';
import type { Observer, SecondCounts } from './observer.ts';
import type { CallRecord, MoveRecord, NodeInfo, OfficeSummary, OperatorMember, RefusalRecord } from './types.ts';

/** Offices in one answer. */
export const MAX_OFFICES = 1000;

/** How far the records of a node are read. */
export interface Cursor {
  calls: number;
  moves: number;
  refusals: number;
  seconds: number;
}

/** The state of a node, and its records from a cursor on. */
export interface NodeReport {
  info: Omit<NodeInfo, 'self' | 'reachable'>;
  cursor: Cursor;
  calls: CallRecord[];
  /** Calls since the cursor that are not in `calls`. */
  skipped: number;
  moves: MoveRecord[];
  refusals: RefusalRecord[];
  seconds: SecondCounts[];
}

export interface OfficeQuery {
  /** A part of the name of an office or of a member, in lower case. */
  q: string;
  /** Offices whose names come later. */
  after: string;
  limit: number;
}

export interface OfficeList {
  offices: OfficeSummary[];
  /** How many there are, without `after` and `limit`. */
  total: number;
}

/** A question about a node, also of another node. */
export type NodeQuestion =
  | { type: 'report'; since: Cursor }
  | ({ type: 'offices' } & OfficeQuery)
  | { type: 'members'; office: string };

export interface NodeParts {
  node: string;
  hub: Hub;
  health: () => Health;
  /** Absent on a node without operators. */
  observer: Observer | undefined;
}

/** Answers a question about this node. Undefined when it is none. */
export function answerQuestion(parts: NodeParts, question: unknown): unknown {
  const { type, since, office, q, after, limit } = fieldsOf(question);
  if (type === 'report') return reportOf(parts, readCursor(since));
  if (type === 'members') return membersOf(parts, String(office));
  if (type !== 'offices') return undefined;
  const most = Math.min(Number(limit) || MAX_OFFICES, MAX_OFFICES);
  return officesOf(parts, { q: String(q), after: String(after), limit: most });
}

export function reportOf({ node, hub, health, observer }: NodeParts, since: Cursor): NodeReport {
  observer?.roll();
  const { uptime, connections, offices, members, inFlight, status } = health();
  const { calls: counts, rejected } = hub.metrics.totals();
  const calls = observer?.calls.since(since.calls);
  return {
    info: {
      ...{ node, observed: observer !== undefined, status, uptime, connections, offices, members, inFlight },
      ...{ received: hub.traffic.received, sent: hub.traffic.sent },
      calls: { answered: 0, refused: 0, timeout: 0, computer_lost: 0, agent_lost: 0, ...counts },
      refusals: rejected,
    },
    cursor: {
      calls: observer?.calls.end ?? 0,
      moves: observer?.moves.end ?? 0,
      refusals: observer?.refusals.end ?? 0,
      seconds: observer?.seconds.end ?? 0,
    },
    calls: calls?.items ?? [],
    skipped: calls?.skipped ?? 0,
    moves: observer?.moves.since(since.moves).items ?? [],
    refusals: observer?.refusals.since(since.refusals).items ?? [],
    seconds: observer?.seconds.since(since.seconds).items ?? [],
  };
}

export function officesOf({ hub }: NodeParts, { q, after, limit }: OfficeQuery): OfficeList {
  const found = new Map<string, OfficeSummary>();
  const matching = new Set<string>();
  for (const { peer, role, name, office } of hub.offices.all()) {
    const summary = found.get(office) ?? { office, agent: null, computers: 0, inFlight: 0 };
    found.set(office, summary);
    if (role === 'computer') summary.computers += 1;
    else Object.assign(summary, { agent: name, inFlight: peer.data.calls?.size ?? 0 });
    if (q === '' || office.toLowerCase().includes(q) || name.toLowerCase().includes(q)) matching.add(office);
  }
  const names = [...matching].toSorted().filter(office => office > after);
  const offices = names.slice(0, limit).flatMap(office => found.get(office) ?? []);
  return { offices, total: matching.size };
}

export function membersOf({ node, hub }: NodeParts, office: string): OperatorMember[] {
  return hub.offices.membersOf(office).map(member => ({ ...describeMember(member), node }));
}

export const BEGINNING: Cursor = { calls: 0, moves: 0, refusals: 0, seconds: 0 };

function readCursor(value: unknown): Cursor {
  const { calls, moves, refusals, seconds } = fieldsOf(value);
  const position = (number: unknown) => Number(number) || 0;
  return { calls: position(calls), moves: position(moves), refusals: position(refusals), seconds: position(seconds) };
}
