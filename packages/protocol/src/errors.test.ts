import { expect, test } from 'vitest';
import { ErrorCode, SmcpError } from './errors.ts';

test.each([
  ['a known reason', { reason: 'offline' }, 'offline'],
  ['a reason of a newer peer', { reason: 'eclipse' }, undefined],
  ['details without a reason', { uri: 'dpe://h' }, undefined],
  ['no details', undefined, undefined],
])('the reason of an error with %s', (_, details, reason) => {
  expect(new SmcpError(ErrorCode.Timeout, 'No answer', { details }).reason).toBe(reason);
});
