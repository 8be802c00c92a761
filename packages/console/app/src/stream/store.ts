import { signal } from '@preact/signals';
import { get } from '../api.ts';
import { followStream } from './leader.ts';

/** True if the console answers. */
export const isOnline = signal(true);

/** Counts the changes of topics whose contents are fetched when they are shown. */
export const versions = signal<Readonly<Record<string, number>>>({});

/** The handlers of a surface for the values of the stream. */
export interface StreamTopics {
  /** Everything at once. */
  load(snapshot: unknown): void;
  /** A new value of one topic. */
  update(topic: string, value: unknown): void;
  /** The present values, in the form that `load` takes. */
  save(): unknown;
}

/** Starts to follow the events of the console. */
export function startStream({ load, update, save }: StreamTopics): void {
  let wasAway = false;
  followStream('/api/v1/events', {
    snapshot: save,
    onState(isOpen) {
      isOnline.value = isOpen;
      if (!isOpen) void checkSession();
      else if (wasAway) refreshAll();
      wasAway = !isOpen;
    },
    onFrame(topic, value) {
      if (topic === 'snapshot') load(value);
      else if (topic === 'changed') bump(...new Set(value as string[]));
      else update(topic, value);
    },
  });
}

/** Makes everything that shows these topics fetch them again. */
export function bump(...topics: readonly string[]): void {
  const next = { ...versions.value };
  for (const topic of topics) next[topic] = (next[topic] ?? 0) + 1;
  versions.value = next;
}

/** Anything may have changed while the console was away. */
function refreshAll(): void {
  bump('*');
}

/** A console that was started anew knows no session of the old one, and a stream does not say why it fails. */
async function checkSession(): Promise<void> {
  await get('/about').catch(() => undefined);
}
