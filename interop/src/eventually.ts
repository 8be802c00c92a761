import { setTimeout as pause } from 'node:timers/promises';

/** Tries until it succeeds; after `milliseconds` the last failure is thrown. For states that emit no event. */
export async function eventually<T>(attempt: () => T | Promise<T>, milliseconds = 10_000): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= end) throw error;
      await pause(100);
    }
  }
}

/** Rejects when `work` is not done in time. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
