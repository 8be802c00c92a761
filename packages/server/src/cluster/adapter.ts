import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { Cluster } from './cluster.ts';

/** The Socket.IO adapter that carries broadcasts to the members of an office on all nodes. */
export function createClusterAdapter(cluster: Cluster): ReturnType<typeof createAdapter> {
  // What is broadcast must not overtake calls that were posted before, as a cancellation would.
  const publisher = quiet(cluster.publisher, () => cluster.flush());
  return createAdapter(publisher, quiet(cluster.subscriber), { key: 'a2c' });
}

/** The adapter ignores the promises of its commands; while Redis is away each would be an unhandled rejection. */
function quiet(redis: Redis, before = () => {}): Redis {
  return new Proxy(redis, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        before();
        const result: unknown = value.apply(target, args);
        if (result instanceof Promise) result.catch(() => {});
        return result;
      };
    },
  });
}
