import type { CallRates, SecondRecord } from '@a2c-smcp/server';

export type OutcomeName = 'answered' | 'refused' | 'timeout' | 'computer_lost' | 'agent_lost';
export const OUTCOMES: readonly OutcomeName[] = ['answered', 'refused', 'timeout', 'computer_lost', 'agent_lost'];

/** Seconds over which the rates beside the plots are taken. */
const RATE_SECONDS = 10;

export interface PlotData {
  /** Seconds since 1970, without a gap, the newest last. */
  times: number[];
  /** One list for each line; null where there is nothing. */
  lines: (number | null)[][];
}

/** The calls of an event, or of all; those that failed are apart from those that were refused. */
export function callSeries(seconds: readonly SecondRecord[], range: Range, event: string): PlotData {
  return series(seconds, range, event, [
    rates => rates?.answered ?? 0,
    rates => rates?.refused ?? 0,
    rates => (rates ? rates.timeout + rates.computer_lost + rates.agent_lost : 0),
  ]);
}

/** How long calls took, in milliseconds. */
export function latencySeries(seconds: readonly SecondRecord[], range: Range, event: string): PlotData {
  return series(seconds, range, event, [
    rates => rates?.p50 ?? null,
    rates => rates?.p95 ?? null,
    rates => rates?.p99 ?? null,
  ]);
}

/** The last second that is over, and how many are shown. */
export interface Range {
  now: number;
  length: number;
}

function series(
  seconds: readonly SecondRecord[],
  { now, length }: Range,
  event: string,
  lines: readonly ((rates: CallRates | undefined) => number | null)[],
): PlotData {
  const byTime = new Map(seconds.map(second => [second.at, second]));
  const end = now - (now % 1000) - 1000;
  const times = Array.from({ length }, (_, index) => end - (length - 1 - index) * 1000);
  const found = times.map(at => ratesOf(byTime.get(at), event));
  return { times: times.map(at => at / 1000), lines: lines.map(line => found.map(line)) };
}

function ratesOf(second: SecondRecord | undefined, event: string): CallRates | undefined {
  return event === '' ? second?.total : second?.events[event];
}

/** Calls per second and the slowest latencies of the last seconds. */
export function currentRates(seconds: readonly SecondRecord[], now: number, event = '') {
  const recent = seconds.filter(({ at }) => at >= now - (RATE_SECONDS + 1) * 1000);
  const rates = recent.flatMap(second => ratesOf(second, event) ?? []);
  const sum = rates.reduce((total, each) => total + OUTCOMES.reduce((all, outcome) => all + each[outcome], 0), 0);
  const slowest = (part: 'p50' | 'p95' | 'p99') => {
    const known = rates.flatMap(({ [part]: latency }) => latency ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  return { perSecond: sum / RATE_SECONDS, p50: slowest('p50'), p95: slowest('p95'), p99: slowest('p99') };
}
