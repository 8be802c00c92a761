import { type Comparison, type Contest, compare } from '../harness/compare.ts';
import { Stack } from '../harness/stack.ts';
import type { ClientKind } from '../processes/agent.ts';
import type { ServerKind } from '../processes/server.ts';
import { compared } from '../report/lines.ts';
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

/** Measures a row, and once more when it has a target and two equal stacks differ. */
export async function measure(row: Row, stacks: Contest): Promise<Result[]> {
  const { size, inFlight, milliseconds = 300, rounds = 8 } = row;
  const results = toResults(row, await compare(stacks, { size, inFlight, milliseconds }, rounds));
  if (!row.targets || results.every(isReliable)) return results;
  return toResults(row, await compare(stacks, { size, inFlight, milliseconds }, rounds));
}

const LABELS = { rate: 'calls/s', cpu: 'server CPU', p50: 'p50', p99: 'p99' };

function toResults({ name, show, targets }: Row, comparison: Comparison): Result[] {
  return show.map(key => {
    const words = (value: number) => inWords(key, value);
    const line = compared(comparison, { name: `${name}: ${LABELS[key]}`, key, words, target: targets?.[key] });
    // A percentile so far out is shown, not judged.
    return key === 'p99' ? { ...line, control: undefined } : line;
  });
}

function inWords(key: keyof typeof LABELS, value: number): string {
  if (key === 'rate') return rounded(value);
  return key === 'cpu' ? `${duration(value / 1000)}/call` : duration(value);
}
