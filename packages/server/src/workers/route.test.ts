import { describe, expect, test } from 'vitest';
import { pickWorker, readRoute } from './route.ts';

const workers = [0, 1, 2].map(index => ({ index, connections: 10 - index }));
const pick = (line: string, among = workers) => pickWorker(among, readRoute(line, '/socket.io/'))?.index;

describe('the worker of a connection', () => {
  test('is the one whose tag the session begins with, whatever the office', () => {
    expect(pick('GET /socket.io/?EIO=4&a2c_route=00000001&sid=2.abc HTTP/1.1')).toBe(2);
    expect(pick('GET /socket.io/?sid=1.x&sid=0.y HTTP/1.1')).toBe(0);
  });

  test('is the same for all members of an office, and stays while another worker is gone', () => {
    const routes = Array.from(
      { length: 300 },
      (_, index) => `GET /socket.io/?a2c_route=${index.toString(16)} HTTP/1.1`,
    );
    const before = routes.map(line => pick(line));
    expect(new Set(before)).toEqual(new Set([0, 1, 2]));
    const without = workers.filter(({ index }) => index !== 1);
    const moved = routes.filter((line, index) => pick(line, without) !== before[index]);
    expect(moved.length).toBe(before.filter(index => index === 1).length);
  });

  test('is the one with the fewest connections for a client that names no office', () => {
    expect(pick('GET /socket.io/?EIO=4&transport=polling HTTP/1.1')).toBe(2);
  });

  test('is the first one for everything that is not the protocol, and for what is no request', () => {
    expect(pick('GET /metrics HTTP/1.1')).toBe(0);
    expect(pick('GET /socket.iox?sid=2.abc HTTP/1.1')).toBe(0);
    expect(pick('\x16\x03\x01')).toBe(0);
    expect(pick('GET /socket.io/?sid=9.gone HTTP/1.1')).toBe(0);
    expect(pickWorker([], { kind: 'any' })).toBeUndefined();
  });
});
