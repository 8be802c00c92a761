import type { AttentionItem, PendingCall, Question } from '@a2c-smcp/computer';
import { signal } from '@preact/signals';
import type { About, CallRow, OwnerSnapshot, ServerRow } from '../../../src/owner/types.ts';
import type { StreamTopics } from '../stream/store.ts';

/** The state that the stream keeps up to date. */
export const about = signal<About>({ surface: 'owner', name: '', connection: 'outside', hasAudit: false });
export const attention = signal<readonly AttentionItem[]>([]);
export const questions = signal<readonly Question[]>([]);
export const servers = signal<readonly ServerRow[]>([]);
export const pending = signal<readonly PendingCall[]>([]);
/** Newest first. */
export const ended = signal<readonly CallRow[]>([]);
/** The number of the line that comes next, by MCP server. */
export const logs = signal<Readonly<Record<string, number>>>({});
/** True if the first values have come. */
export const isLoaded = signal(false);

const MAX_ENDED = 500;

export const topics: StreamTopics = {
  load(value) {
    const snapshot = value as OwnerSnapshot;
    about.value = snapshot.about;
    attention.value = snapshot.attention;
    questions.value = snapshot.questions;
    servers.value = snapshot.servers;
    pending.value = snapshot.calls.pending;
    ended.value = snapshot.calls.ended.toReversed();
    isLoaded.value = true;
  },
  update(topic, value) {
    if (topic === 'ended') addEnded(value as CallRow[]);
    else if (topic.startsWith('log:')) logs.value = { ...logs.value, [topic.slice(4)]: value as number };
    else replace[topic]?.(value);
  },
  save: (): OwnerSnapshot => ({
    about: about.value,
    attention: [...attention.value],
    questions: questions.value,
    servers: [...servers.value],
    calls: { pending: pending.value, ended: ended.value.toReversed() },
  }),
};

/** A call may be in the snapshot and in the change after it. */
function addEnded(calls: readonly CallRow[]): void {
  const known = new Set(ended.value.map(({ id }) => id));
  const fresh = calls.filter(({ id }) => !known.has(id)).toReversed();
  ended.value = [...fresh, ...ended.value].slice(0, MAX_ENDED);
}

const replace: Record<string, (value: unknown) => void> = {
  about: value => {
    about.value = value as About;
  },
  attention: value => {
    attention.value = value as AttentionItem[];
  },
  questions: value => {
    questions.value = value as Question[];
  },
  servers: value => {
    servers.value = value as ServerRow[];
  },
  pending: value => {
    pending.value = value as PendingCall[];
  },
};
