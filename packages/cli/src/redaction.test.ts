import { expect, test } from 'vitest';
import { Redaction } from './redaction.ts';

test('masks the credentials of a connection, and what others know to be secret', () => {
  const redaction = new Redaction();
  redaction.hide({ auth: { token: 'sesame', n: 1, short: 'abc' }, headers: { authorization: 'Bearer eyJabc' } });
  redaction.add(text => text.replaceAll('other', '***'));
  expect(redaction.redact('sesame, eyJabc, other, abc')).toBe('***, ***, ***, abc');
});
