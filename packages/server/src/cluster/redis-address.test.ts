import { describe, expect, test } from 'vitest';
import { readRedisAddress } from './redis-address.ts';

describe('the address of Redis', () => {
  test('is one URL or path, several URLs of a Redis Cluster, or those of Sentinels', () => {
    expect(readRedisAddress('redis://h:1/3')).toEqual({ kind: 'single', url: 'redis://h:1/3' });
    expect(readRedisAddress('/run/redis.sock')).toEqual({ kind: 'single', url: '/run/redis.sock' });
    expect(readRedisAddress('rediss://u:p%40@h:1, rediss://i:2')).toEqual({
      kind: 'cluster',
      nodes: ['rediss://u:p%40@h:1', 'rediss://i:2'],
      options: { username: 'u', password: 'p@', tls: {} },
    });
    expect(readRedisAddress('sentinel://h,[::1]:7/main/2')).toEqual({
      kind: 'sentinel',
      options: {
        sentinels: [
          { host: 'h', port: 26_379 },
          { host: '::1', port: 7 },
        ],
        name: 'main',
        db: 2,
      },
    });
    expect(readRedisAddress('sentinel://:p@h:1/main')).toMatchObject({
      options: { password: 'p', sentinelPassword: 'p', db: 0 },
    });
  });

  test.each([
    'redis://h:1,h:2',
    'redis://h:1,rediss://h:2',
    'redis://h:1,',
    'sentinel://h:1',
    'sentinel://:secret@/main',
    'sentinel://h:x/main',
  ])('is not %s, and the password is not repeated', address => {
    expect(() => readRedisAddress(address)).toThrow(/^The option 'redis' is a URL such as (?!.*secret)/);
  });
});
