import type {
  CallRecord,
  Limits,
  MoveRecord,
  OperatorFrame,
  OperatorSnapshot,
  Overview,
  RefusalRecord,
  SecondRecord,
} from '@a2c-smcp/server';
import { signal } from '@preact/signals';
import { bump, type StreamTopics } from '../stream/store.ts';

/** The state that the stream keeps up to date. */
export const overview = signal<Overview | undefined>(undefined);
export const limits = signal<Limits | undefined>(undefined);
/** By time, at most `MAX_SECONDS`, without those in which no call ended. */
export const seconds = signal<readonly SecondRecord[]>([]);
/** Newest first, like the others, and with a number for each. */
export const calls = signal<readonly Numbered<CallRecord>[]>([]);
export const moves = signal<readonly Numbered<MoveRecord>[]>([]);
export const refusals = signal<readonly Numbered<RefusalRecord>[]>([]);

/** Records have no id of their own; tables need one. */
export type Numbered<T> = T & { id: number };

/** How far back the plots go, in seconds. */
export const MAX_SECONDS = 300;
const MAX_CALLS = 1000;
const MAX_OTHERS = 500;

let count = 0;

export const topics: StreamTopics = {
  load(value) {
    const snapshot = value as OperatorSnapshot;
    limits.value = snapshot.limits;
    seconds.value = [];
    calls.value = [];
    moves.value = [];
    refusals.value = [];
    add(snapshot);
    bump('offices');
  },
  update(topic, value) {
    if (topic === 'delta') add(value as OperatorFrame);
  },
  save: (): OperatorSnapshot | undefined => {
    if (!overview.value || !limits.value) return undefined;
    return {
      overview: overview.value,
      limits: limits.value,
      seconds: [...seconds.value],
      calls: calls.value.toReversed(),
      skipped: 0,
      moves: moves.value.toReversed(),
      refusals: refusals.value.toReversed(),
    };
  },
};

function add(frame: OperatorFrame): void {
  overview.value = frame.overview;
  if (frame.seconds.length > 0) seconds.value = merged(seconds.value, frame.seconds, frame.overview.at);
  calls.value = newest(calls.value, frame.calls, MAX_CALLS);
  moves.value = newest(moves.value, frame.moves, MAX_OTHERS);
  refusals.value = newest(refusals.value, frame.refusals, MAX_OTHERS);
  if (frame.moves.length > 0) bump('offices');
}

function newest<T>(known: readonly Numbered<T>[], more: readonly T[], limit: number): readonly Numbered<T>[] {
  if (more.length === 0) return known;
  const numbered = more.map(record => {
    count += 1;
    return { ...record, id: count };
  });
  return [...numbered.reverse(), ...known].slice(0, limit);
}

/** A second may come again, when another node has told of its calls. */
function merged(known: readonly SecondRecord[], changed: readonly SecondRecord[], now: number): SecondRecord[] {
  const byTime = new Map([...known, ...changed].map(second => [second.at, second]));
  const oldest = now - MAX_SECONDS * 1000;
  return [...byTime.values()].filter(({ at }) => at >= oldest).sort((a, b) => a.at - b.at);
}
