import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf, isLoopback } from './addresses.ts';

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['LocalHost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.1', false],
  ['127.evil.example', false],
  ['localhost.evil.example', false],
  ['', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test('only a trusted proxy is believed, and only its own word', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7, 198.51.100.2' };
  const request = { headers, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage;
  expect(addressOf(request, false)).toBe('127.0.0.1');
  expect(addressOf(request, true)).toBe('198.51.100.2');
});
