import type { Logger } from '@a2c-smcp/protocol';
import { expect, test, vi } from 'vitest';
import { Secrets } from './secrets.ts';

test('masks every known secret, the longer first, and nothing shorter than five characters', () => {
  const secrets = new Secrets();
  secrets.add(['hunter2', 'hunter22', 'a+b*c', 'abc', '']);
  expect(secrets.redact('hunter22 hunter2 a+b*c abc')).toBe('*** *** *** abc');
});

test('a guarded logger cleans messages, fields, errors and their causes', () => {
  const secrets = new Secrets();
  secrets.add(['hunter2']);
  const warn = vi.fn();
  const logger = secrets.guard({ warn } as unknown as Logger);
  const error = new Error('no hunter2', { cause: new TypeError('hunter2!') });
  logger.warn('hunter2 failed', { list: ['hunter2'], deep: { x: 'hunter2' }, count: 1, error });
  const [message, fields] = warn.mock.calls[0] ?? [];
  expect(message).toBe('*** failed');
  expect(fields).toMatchObject({ list: ['***'], deep: { x: '***' }, count: 1, error: { message: 'no ***' } });
  expect(JSON.stringify(fields)).not.toContain('hunter2');
});

test('survives structures without end', () => {
  const endless: Record<string, unknown> = {};
  endless.self = endless;
  expect(() => new Secrets().redactAll(endless)).not.toThrow();
});
