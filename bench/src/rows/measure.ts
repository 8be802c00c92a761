import { type Comparison, type Contest, compare } from '../harness/compare.ts';
import { Stack } from '../harness/stack.ts';
import type { ClientKind } from '../processes/agent.ts';
import type { ServerKind } from '../processes/server.ts';
import { isReliable, type Result, type Target } from '../report/result.ts';
import { duration, rounded } from '../report/units.ts';

/** A load, and what is shown of it. */
export interface Row {
  name: string;
  size: number;
  inFlight: number;
  milliseconds?: number;
  rounds?: number;
  show: ('rate' | 'cpu' | 'p50' | 'p99')[];
  targets?: Partial<Record<'rate' | 'cpu' | 'p50' | 'p99', Target>>;
}

export const atLeast = (value: number): Target => ({ kind: 'at least', value });
export const atMost = (value: number): Target => ({ kind: 'at most', value });

/** Starts the stacks of a comparison, and ends them. */
export async function contest<T>(
  server: ServerKind,
  ourClients: ClientKind,
  use: (stacks: Contest) => Promise<T>,
  { pairs = 1 } = {},
): Promise<T> {
  const ours = { server: 'ours', clients: ourClients, pairs } as const;
  await using baseline = await Stack.start({ server, clients: ourClients === 'ours' ? 'stock' : 'thin', pairs });
  await using first = await Stack.start(ours);
  await using again = await Stack.start(ours);
  return await use({ baseline, ours: first, again });
}

/** Measures a row, and once more when two equal stacks differ. */
export async function measure(row: Row, stacks: Contest): Promise<Result[]> {
  const { size, inFlight, milliseconds = 300, rounds = 10 } = row;
  const results = toResults(row, await compare(stacks, { size, inFlight, milliseconds }, rounds));
  if (results.every(isReliable)) return results;
  return toResults(row, await compare(stacks, { size, inFlight, milliseconds }, rounds * 2));
}

const LABELS = { rate: 'calls/s', cpu: 'server CPU', p50: 'p50', p99: 'p99' };

function toResults({ name, show, targets }: Row, { baseline, ours, ratio, control }: Comparison): Result[] {
  return show.map(key => ({
    name: `${name}: ${LABELS[key]}`,
    baseline: inWords(key, baseline[key]),
    ours: inWords(key, ours[key]),
    ratio: ratio[key],
    // A percentile so far out is shown, not judged.
    ...(key === 'p99' ? {} : { control: control[key] }),
    ...(targets?.[key] ? { target: targets[key] } : {}),
  }));
}

function inWords(key: keyof typeof LABELS, value: number): string {
  if (key === 'rate') return rounded(value);
  return key === 'cpu' ? `${duration(value / 1000)}/call` : duration(value);
}
