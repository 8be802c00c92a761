import { isObject } from '@a2c-smcp/core';
import { addCounts, type CallCounts, noCalls, ratesOf } from './call-counts.ts';
import {
  answerQuestion,
  BEGINNING,
  type Cursor,
  type NodeParts,
  type NodeQuestion,
  type NodeReport,
  type OfficeList,
  type OfficeQuery,
  reportOf,
} from './node-view.ts';
import type { SecondCounts } from './observer.ts';
import { Ring } from './ring.ts';
import type {
  CallRecord,
  MoveRecord,
  NodeInfo,
  OfficeSummary,
  OperatorMember,
  Overview,
  RefusalRecord,
  SecondRecord,
} from './types.ts';

/** Seconds with calls that are remembered. */
const MAX_SECONDS = 300;
/** Milliseconds in which the answers of other nodes are not asked for again. */
const MIN_POLL_MS = 250;

interface MergedSecond {
  at: number;
  /** Grows with every change of any second. */
  revision: number;
  events: Map<string, CallCounts>;
}

/** The records of all nodes together. Those of other nodes are fetched when `poll` is called, and never by themselves. */
export class Nodes {
  readonly calls = new Ring<CallRecord>(1000);
  readonly moves = new Ring<MoveRecord>(500);
  readonly refusals = new Ring<RefusalRecord>(500);
  readonly #parts: NodeParts;
  readonly #cursors = new Map<string, Cursor>();
  readonly #infos = new Map<string, NodeInfo>();
  /** By time, oldest first. */
  readonly #seconds = new Map<number, MergedSecond>();
  /** Calls that nodes did not send any more. */
  #skipped = 0;
  #revision = 0;
  #polling: Promise<void> | undefined;
  #polledAt = 0;

  constructor(parts: NodeParts) {
    this.#parts = parts;
  }

  /** Grows with every change of a second. */
  get revision(): number {
    return this.#revision;
  }

  /** Calls that ended since the start and are known or counted: the position behind the newest one. */
  get callCount(): number {
    return this.calls.end + this.#skipped;
  }

  /** Reads the new records of this node. */
  pollSelf(): void {
    const { node } = this.#parts;
    this.#merge(reportOf(this.#parts, this.#cursors.get(node) ?? BEGINNING), true);
  }

  /** Reads the new records of all nodes. */
  async poll(): Promise<void> {
    this.pollSelf();
    if (!this.#parts.hub.cluster || performance.now() - this.#polledAt < MIN_POLL_MS) return;
    this.#polling ??= this.#pollOthers().finally(() => {
      this.#polledAt = performance.now();
      this.#polling = undefined;
    });
    await this.#polling;
  }

  overview(): Overview {
    const nodes = [...this.#infos.values()];
    const sum = (field: 'connections' | 'offices' | 'members' | 'inFlight' | 'received' | 'sent') =>
      nodes.reduce((total, info) => total + info[field], 0);
    const self = nodes.find(info => info.self);
    return {
      at: Date.now(),
      status: self?.status ?? 'ok',
      uptime: self?.uptime ?? 0,
      connections: sum('connections'),
      offices: sum('offices'),
      members: sum('members'),
      inFlight: sum('inFlight'),
      received: sum('received'),
      sent: sum('sent'),
      calls: added(nodes.map(({ calls }) => calls)) as Overview['calls'],
      refusals: added(nodes.map(({ refusals }) => refusals)),
      nodes,
    };
  }

  /** The seconds that have changed since a revision, by time. */
  seconds(since = 0): SecondRecord[] {
    return [...this.#seconds.values()]
      .filter(({ revision }) => revision > since)
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, events }) => {
        const total = noCalls();
        for (const counts of events.values()) addCounts(total, counts);
        const rates = [...events].map(([event, counts]) => [event, ratesOf(counts)]);
        return { at, total: ratesOf(total), events: Object.fromEntries(rates) };
      });
  }

  async offices(query: OfficeQuery): Promise<OfficeList> {
    const lists = (await this.#askAll<OfficeList>({ type: 'offices', ...query })).filter(list => isObject(list));
    const merged = new Map<string, OfficeSummary>();
    for (const summary of lists.flatMap(({ offices }) => offices))
      merged.set(summary.office, both(merged.get(summary.office), summary));
    const offices = [...merged.values()].toSorted((a, b) => (a.office < b.office ? -1 : 1));
    // Offices of several nodes are known when all of them are listed.
    const isComplete = query.after === '' && lists.every(list => list.total === list.offices.length);
    const total = isComplete ? offices.length : lists.reduce((sum, list) => sum + list.total, 0);
    return { offices: offices.slice(0, query.limit), total };
  }

  /** The members of an office, the Agent first. */
  async members(office: string): Promise<OperatorMember[]> {
    const lists = await this.#askAll<OperatorMember[]>({ type: 'members', office });
    return lists.flat().toSorted((a, b) => (a.role === b.role ? (a.name < b.name ? -1 : 1) : a.role < b.role ? -1 : 1));
  }

  async #pollOthers(): Promise<void> {
    const others = await this.#others();
    const { node: self } = this.#parts;
    for (const node of this.#infos.keys()) if (node !== self && !others.includes(node)) this.#forget(node);
    await Promise.all(
      others.map(async node => {
        const known = this.#infos.get(node);
        try {
          const since = this.#cursors.get(node) ?? BEGINNING;
          this.#merge((await this.#ask(node, { type: 'report', since })) as NodeReport, false);
        } catch {
          if (known) this.#infos.set(node, { ...known, reachable: false });
        }
      }),
    );
  }

  /** Asks all nodes. Those that do not answer are left out. */
  async #askAll<T>(question: NodeQuestion): Promise<T[]> {
    const others = await this.#others();
    const answers = await Promise.allSettled(others.map(node => this.#ask(node, question)));
    const elsewhere = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []));
    return [answerQuestion(this.#parts, question), ...elsewhere] as T[];
  }

  async #others(): Promise<string[]> {
    const { cluster } = this.#parts.hub;
    return cluster ? cluster.others().catch(() => []) : [];
  }

  async #ask(node: string, question: NodeQuestion): Promise<unknown> {
    return this.#parts.hub.cluster?.ask(node, question);
  }

  #forget(node: string): void {
    this.#infos.delete(node);
    this.#cursors.delete(node);
  }

  #merge({ info, cursor, calls, skipped, moves, refusals, seconds }: NodeReport, self: boolean): void {
    this.#infos.set(info.node, { ...info, self, reachable: true });
    this.#cursors.set(info.node, cursor);
    this.#skipped += skipped;
    for (const call of calls) this.calls.push(call);
    for (const move of moves) this.moves.push(move);
    for (const refusal of refusals) this.refusals.push(refusal);
    for (const second of seconds) this.#add(second);
  }

  #add({ at, events }: SecondCounts): void {
    const merged = this.#seconds.get(at) ?? { at, revision: 0, events: new Map() };
    this.#seconds.set(at, merged);
    this.#revision += 1;
    merged.revision = this.#revision;
    for (const [event, counts] of Object.entries(events)) {
      const sum = merged.events.get(event) ?? noCalls();
      merged.events.set(event, sum);
      addCounts(sum, counts);
    }
    if (this.#seconds.size > MAX_SECONDS) this.#seconds.delete(Math.min(...this.#seconds.keys()));
  }
}

/** The members of an office on two nodes. */
function both(one: OfficeSummary | undefined, other: OfficeSummary): OfficeSummary {
  if (!one) return { ...other };
  const { office } = one;
  return {
    office,
    agent: one.agent ?? other.agent,
    computers: one.computers + other.computers,
    inFlight: one.inFlight + other.inFlight,
  };
}

function added(counts: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [key, count] of counts.flatMap(each => Object.entries(each))) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}
