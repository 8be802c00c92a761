import { expect, test } from 'vitest';
import { readBytes } from './reading.ts';

const read = async (...lines: string[]) => (await readBytes('a.eml', lines.join('\r\n'))).markdown;

test('parts of a mail without an empty line after their fields are read', async () => {
  const markdown = await read(
    'Subject: Welcome',
    'Content-Type: multipart/mixed;',
    ' boundary="a:1"',
    '--a:1',
    'Content-Type: text/plain;',
    '\tcharset="utf-8"',
    'Ten bags',
    'of: beans',
    '--a:1',
    'Content-Type: multipart/related; boundary=b2',
    '--b2',
    '-----BEGIN-----',
    'and cups',
    '--b2--',
    '--a:1--',
  );
  expect(markdown).toContain('# Welcome');
  for (const words of ['Ten bags\nof: beans', '-----BEGIN-----\nand cups']) expect(markdown).toContain(words);
});

test('a mail without an empty line after its fields is read, with a mail that it quotes', async () => {
  const quoted = ['Yes.', '-----Original Message-----', 'From: Bob', 'Subject: Beans'];
  expect(await read('From: Ada', 'Subject: Re: Beans', ...quoted)).toContain(quoted.join('\n'));
});

test('a mail inside of a mail without an empty line after its fields is read', async () => {
  const markdown = await read('Content-Type: message/rfc822', '', 'Subject: Beans', 'Ten bags, please.');
  expect(markdown).toContain('Ten bags, please.');
});

test('a damaged line among the fields of a mail does not end them', async () => {
  const markdown = await read(
    'From ada@example.com Mon May  4 08:30:00 2026',
    'From: ada@example.com',
    'X-Note: one',
    'that goes on',
    'Subject: Beans',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Ten b=61gs, please.',
  );
  expect(markdown).toContain('# Beans');
  expect(markdown).toContain('| From | ada@example.com |\n\nTen bags, please.');
});
