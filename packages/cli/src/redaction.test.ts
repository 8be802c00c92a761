import { expect, test } from 'vitest';
import { Redaction } from './redaction.ts';

test('Redaction masks the credentials of a connection and the secrets of added functions', () => {
  const redaction = new Redaction();
  redaction.hide({ auth: { token: 'sesame', n: 1, short: 'abc' }, headers: { authorization: 'Bearer eyJabc' } });
  redaction.add(text => text.replaceAll('other', '***'));
  expect(redaction.redact('sesame, eyJabc, other, abc')).toBe('***, ***, ***, abc');
});
