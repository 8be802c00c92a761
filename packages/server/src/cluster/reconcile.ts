import type { Registration } from './registration.ts';
import type { Registry } from './registry.ts';

export interface ReconcileOptions {
  registry: Registry;
  /** The members that are here now. */
  members: () => Registration[];
  /** Ends a session whose place another session has. */
  evict: (sid: string) => void;
  /** Handles an error of one member. Throws it when no other member can fare better. */
  onError: (error: unknown) => void;
}

export interface Reconciled {
  /** Members that Redis had and that are not here. */
  gone: Registration[];
  /** True if Redis and this node agree now. */
  isComplete: boolean;
}

/** How many members are treated at a time. */
const BATCH_SIZE = 200;

/** Makes Redis and this node agree about who is here, after one of them has lost or missed something. */
export async function reconcile({ registry, members, evict, onError }: ReconcileOptions): Promise<Reconciled> {
  // Read before the members that are here: a pending join is in Redis first.
  const registered = await registry.own();
  const here = new Map(members().map(member => [member.sid, member]));
  const gone = registered.filter(({ sid }) => !here.has(sid));
  let isComplete = true;
  // A member that Redis refuses must not keep the others out.
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      onError(error);
      isComplete = false;
    }
  };
  await inBatches(gone, member => attempt(() => registry.leave(member)));
  await inBatches([...here.values()], member =>
    attempt(async () => {
      if (!(await registry.reclaim(member))) evict(member.sid);
    }),
  );
  // A member that left meanwhile may have left before its place was taken for it.
  const now = new Set(members().map(({ sid }) => sid));
  return { gone, isComplete: isComplete && [...here.keys()].every(sid => now.has(sid)) };
}

async function inBatches<T>(items: readonly T[], task: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    await Promise.all(items.slice(start, start + BATCH_SIZE).map(task));
  }
}
