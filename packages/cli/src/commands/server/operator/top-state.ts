import type {
  CallRecord,
  MoveRecord,
  OfficeSummary,
  OperatorFrame,
  Overview,
  RefusalRecord,
  SecondRecord,
} from '@a2c-smcp/server';

/** Seconds that the line of calls shows. */
export const SHOWN_SECONDS = 60;
/** Seconds over which rates and latencies are taken. */
const RATE_SECONDS = 10;
/** Records of each kind that are kept. */
const MAX_RECORDS = 200;

/** The calls of an event over the last seconds. */
export interface EventRates {
  event: string;
  /** Per second. */
  rate: number;
  refused: number;
  /** Timeouts and lost connections. */
  failed: number;
  /** Milliseconds; of the slowest second. */
  p50: number | undefined;
  p95: number | undefined;
  p99: number | undefined;
}

/** The state of a Server, built from the frames of its event stream. */
export class TopState {
  overview: Overview | undefined;
  calls: CallRecord[] = [];
  moves: MoveRecord[] = [];
  refusals: RefusalRecord[] = [];
  offices: OfficeSummary[] = [];
  /** Bytes per second. */
  received = 0;
  sent = 0;
  readonly #seconds = new Map<number, SecondRecord>();

  /** Takes a frame. A snapshot replaces what was known. */
  apply(frame: OperatorFrame, isSnapshot: boolean): void {
    if (isSnapshot) this.#clear();
    this.#measure(frame.overview);
    this.overview = frame.overview;
    this.calls = newest(this.calls, frame.calls);
    this.moves = newest(this.moves, frame.moves);
    this.refusals = newest(this.refusals, frame.refusals);
    for (const second of frame.seconds) this.#seconds.set(second.at, second);
    const oldest = this.#now - SHOWN_SECONDS * 1000;
    for (const at of this.#seconds.keys()) if (at < oldest) this.#seconds.delete(at);
  }

  /** Calls of each of the last seconds, oldest first. The second in progress is not among them. */
  series(): number[] {
    return Array.from({ length: SHOWN_SECONDS }, (_, index) => {
      const second = this.#seconds.get(this.#now - (SHOWN_SECONDS - index) * 1000);
      return second === undefined ? 0 : countOf(second.total);
    });
  }

  /** The rates of all calls together, then of each event, the busiest first. */
  rates(): EventRates[] {
    const recent = [...this.#seconds.values()].filter(({ at }) => at >= this.#now - RATE_SECONDS * 1000);
    const names = [...new Set(recent.flatMap(({ events }) => Object.keys(events)))];
    const all = ratesOf(
      'all',
      recent.map(({ total }) => total),
    );
    const events = names.map(event =>
      ratesOf(
        event,
        recent.flatMap(({ events: { [event]: rates } }) => rates ?? []),
      ),
    );
    return [all, ...events.toSorted((a, b) => b.rate - a.rate)];
  }

  /** The offices with the most calls of late first. */
  busiestOffices(): (OfficeSummary & { recent: number })[] {
    const counts = new Map<string, number>();
    for (const { office } of this.calls) counts.set(office, (counts.get(office) ?? 0) + 1);
    return this.offices
      .map(office => ({ ...office, recent: counts.get(office.office) ?? 0 }))
      .toSorted((a, b) => b.inFlight - a.inFlight || b.recent - a.recent || (a.office < b.office ? -1 : 1));
  }

  /** The beginning of the current second, by the clock of the Server. */
  get #now(): number {
    const { at = 0 } = this.overview ?? {};
    return at - (at % 1000);
  }

  #measure({ at, received, sent }: Overview): void {
    const before = this.overview;
    if (!before || at <= before.at) return;
    const seconds = (at - before.at) / 1000;
    // Several frames may come in one second.
    if (seconds < 0.2) return;
    this.received = Math.max(0, received - before.received) / seconds;
    this.sent = Math.max(0, sent - before.sent) / seconds;
  }

  #clear(): void {
    Object.assign(this, { overview: undefined, calls: [], moves: [], refusals: [] });
    this.#seconds.clear();
  }
}

function newest<T>(known: readonly T[], more: readonly T[]): T[] {
  return [...known, ...more].slice(-MAX_RECORDS);
}

function countOf(rates: SecondRecord['total']): number {
  const { answered, refused, timeout, computer_lost, agent_lost } = rates;
  return answered + refused + timeout + computer_lost + agent_lost;
}

function ratesOf(event: string, seconds: readonly SecondRecord['total'][]): EventRates {
  const sum = (count: (rates: SecondRecord['total']) => number) =>
    seconds.reduce((total, each) => total + count(each), 0);
  const slowest = (part: 'p50' | 'p95' | 'p99') => {
    const known = seconds.flatMap(({ [part]: latency }) => latency ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  return {
    event,
    rate: sum(countOf) / RATE_SECONDS,
    refused: sum(({ refused }) => refused),
    failed: sum(({ timeout, computer_lost, agent_lost }) => timeout + computer_lost + agent_lost),
    p50: slowest('p50'),
    p95: slowest('p95'),
    p99: slowest('p99'),
  };
}
