/** The other end of a `Participant`: greets, then answers every message. */
export function obey(greeting: unknown, answer: (request: never) => unknown): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async request => {
    try {
      process.send?.((await answer(request as never)) ?? null);
    } catch (error) {
      process.send?.({ error: String(error) });
    }
  });
  process.send?.(greeting);
}

/** The settings this process was started with. */
export function settings<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** The requests that a process answers with `usage`. Collecting garbage takes CPU itself. */
export type UsageRequest = 'usage' | 'usage without garbage';

/** Reads the usage of this process so far. */
export function usage(request: UsageRequest) {
  if (request === 'usage without garbage') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpu: user + system, rss, heapUsed };
}
