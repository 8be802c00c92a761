import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { withBlankLines } from './blank-lines.ts';

test('a mail with its empty lines is left as it is', () => {
  const mail = Buffer.from('Subject: Beans\nX-Note: one\n two\n\nTen bags, please.\n--b\nmore\n');
  expect(withBlankLines(mail)).toBe(mail);
});

test.each([
  ['boundaries', '--b\nContent-Type: multipart/mixed;\n boundary="b"\n'],
  ['quotes', ' boundary="\n'],
  ['blanks', `Content-Type: text/plain; boundary=${' '.repeat(1000)}\n`],
  ['parts without fields', '--b\nwords\n'],
  ['words', 'words'],
])('the empty lines of a mail of 4 MB of %s are found in a time by its length', (_, part) => {
  const mail = Buffer.from(`Content-Type: multipart/mixed; boundary="b"\n${part.repeat(Math.ceil(4e6 / part.length))}`);
  const begin = worked();
  withBlankLines(mail);
  expect(worked() - begin).toBeLessThan(5000);
});
