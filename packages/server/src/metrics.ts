import { clientEvents } from '@a2c-smcp/protocol';
import { AggregatorRegistry, Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { Traffic } from './http/traffic.ts';
import type { Outcome } from './relay/call-observer.ts';

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Values that are read when metrics are requested. */
export interface Census {
  connections: () => number;
  offices: () => number;
  members: () => number;
  inFlight: () => number;
  traffic: Traffic;
}

interface EventStatistics {
  outcomes: Map<Outcome, number>;
  /** Calls per bucket of `BUCKETS`, and one for all that took longer. */
  buckets: number[];
  seconds: number;
}

/** The Server's metrics. Recording a call costs a few additions; the rest is done when they are requested. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #events = new Map<string, EventStatistics>();
  readonly #rejected = new Map<string, number>();

  constructor(census: Census) {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('a2c_connections', 'Open connections', census.connections);
    gauge('a2c_offices', 'Offices with at least one member', census.offices);
    gauge('a2c_members', 'Agents and Computers in offices', census.members);
    gauge('a2c_calls_in_flight', 'Calls that wait for an answer', census.inFlight);
    this.#counter('a2c_received_bytes_total', 'Bytes received', [], () => [[{}, census.traffic.received]]);
    this.#counter('a2c_sent_bytes_total', 'Bytes sent', [], () => [[{}, census.traffic.sent]]);
    this.#counter('a2c_rejected_total', 'What was not accepted, by reason', ['reason'], () =>
      [...this.#rejected].map(([reason, count]): Sample => [{ reason }, count]),
    );
    this.#counter('a2c_calls_total', 'Relayed calls, by event and outcome', ['event', 'outcome'], () =>
      [...this.#events].flatMap(([event, { outcomes }]) =>
        [...outcomes].map(([outcome, count]): Sample => [{ event, outcome }, count]),
      ),
    );
    this.#registry.registerMetric(this.#latency());
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in the format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** All metrics as values that `mergeMetrics` adds up. */
  values(): Promise<object[]> {
    return this.#registry.getMetricsAsJSON();
  }

  recordCall(event: string, outcome: Outcome, milliseconds: number): void {
    const statistics = this.#statisticsOf(event);
    statistics.outcomes.set(outcome, (statistics.outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'refused') return;
    const seconds = milliseconds / 1000;
    let index = 0;
    while (seconds > (BUCKETS[index] ?? Number.POSITIVE_INFINITY)) index++;
    statistics.buckets[index] = (statistics.buckets[index] ?? 0) + 1;
    statistics.seconds += seconds;
  }

  recordRejection(reason: string): void {
    this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
  }

  /** Calls by outcome and rejections by reason, since the start. */
  totals(): { calls: Partial<Record<Outcome, number>>; rejected: Record<string, number> } {
    const calls: Partial<Record<Outcome, number>> = {};
    for (const { outcomes } of this.#events.values()) {
      for (const [outcome, count] of outcomes) calls[outcome] = (calls[outcome] ?? 0) + count;
    }
    return { calls, rejected: Object.fromEntries(this.#rejected) };
  }

  /** Peers choose the names of events; those we do not know share one entry. */
  #statisticsOf(event: string): EventStatistics {
    const known = this.#events.get(event);
    if (known) return known;
    const name = Object.hasOwn(clientEvents, event) ? event : 'other';
    const others = this.#events.get(name);
    if (others) return others;
    const statistics = { outcomes: new Map(), buckets: BUCKETS.map(() => 0).concat(0), seconds: 0 };
    this.#events.set(name, statistics);
    return statistics;
  }

  #counter(name: string, help: string, labelNames: string[], samples: () => Sample[]): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [labels, value] of samples()) this.inc(labels, value);
      },
    });
  }

  /** A histogram whose buckets we fill ourselves: the library's own costs more per call than relaying it should. */
  #latency(): Metric {
    const name = 'a2c_call_seconds';
    const metric = {
      name,
      get: async () => ({
        name,
        help: 'Time from request to answer, by event',
        type: 'histogram',
        aggregator: 'sum',
        values: [...this.#events].flatMap(([event, statistics]) => histogramSamples(name, event, statistics)),
      }),
      reset: () => this.#events.clear(),
    };
    return metric as unknown as Metric;
  }
}

/** The metrics of several workers, added up, in the format of Prometheus. */
export function mergeMetrics(values: object[][]): Promise<string> {
  return AggregatorRegistry.aggregate(values).metrics();
}

type Sample = [labels: Record<string, string>, value: number];

function histogramSamples(name: string, event: string, { buckets, seconds }: EventStatistics): unknown[] {
  let total = 0;
  const samples: unknown[] = buckets.map((count, index) => {
    total += count;
    const le = BUCKETS[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, event }, value: total };
  });
  samples.push({ metricName: `${name}_sum`, labels: { event }, value: seconds });
  samples.push({ metricName: `${name}_count`, labels: { event }, value: total });
  return samples;
}
