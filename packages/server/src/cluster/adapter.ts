import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { Cluster } from './cluster.ts';

/** The Socket.IO adapter that carries broadcasts to the members of an office on all nodes. */
export function createClusterAdapter({ publisher, subscriber }: Cluster): ReturnType<typeof createAdapter> {
  return createAdapter(quiet(publisher), quiet(subscriber), { key: 'a2c' });
}

/** The adapter ignores the promises of its commands; while Redis is away each would be an unhandled rejection. */
function quiet(redis: Redis): Redis {
  return new Proxy(redis, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        if (result instanceof Promise) result.catch(() => {});
        return result;
      };
    },
  });
}
