import { inspect } from 'node:util';
import { type Logger, silentLogger } from '@a2c-smcp/core';
import { expect, test, vi } from 'vitest';
import { worked } from '../../../../tests/worked.ts';
import { Secrets } from './secrets.ts';

test('every known secret is masked, the longer first, and nothing shorter than five characters', () => {
  const secrets = new Secrets();
  secrets.add(['hunter2', 'hunter22', 'a+b*c', 'abc', '']);
  expect(secrets.redact('hunter22 hunter2 a+b*c abc')).toBe('*** *** *** abc');
});

/** Everything that JSON, URLs and forms write in another way. */
const ODD = 'pä"ss\\wo/rd <a&b> \'+%41\\n 😀';
const bytes = Buffer.from(ODD);
const json = JSON.stringify(ODD);
const percent = encodeURIComponent(ODD);
const escaped = (pattern: RegExp) =>
  json.replace(pattern, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
const special = (write: (code: number) => string) =>
  ODD.replace(/[^a-z0-9]/giu, character => write(character.codePointAt(0) ?? 0));
const specialBytes = (write: (byte: number) => string) =>
  bytes.toString('latin1').replace(/[^a-z0-9]/gi, character => write(character.charCodeAt(0)));

test.each([
  ['as it is', ODD],
  ['as JSON', json],
  ['as JSON within JSON within JSON', JSON.stringify(JSON.stringify({ value: ODD }))],
  ['as JSON in ASCII', escaped(/[^ -~]/g)],
  ['as JSON that is safe in HTML', escaped(/[<>&'+]/g)],
  ['as JSON with escaped slashes', json.replaceAll('/', '\\/')],
  ['as JavaScript prints it', inspect({ value: ODD })],
  ['URL-encoded', percent],
  ['URL-encoded in lower case', percent.replace(/%../g, code => code.toLowerCase())],
  ['URL-encoded twice', encodeURIComponent(percent)],
  ['URL-encoded JSON', encodeURIComponent(json)],
  ['as a form', new URLSearchParams({ value: ODD }).toString()],
  ['in HTML', ODD.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ['in HTML with decimal entities', special(code => `&#${code};`)],
  ['in HTML with hexadecimal entities', special(code => `&#x${code.toString(16).padStart(4, '0')};`)],
  ['in HTML with hexadecimal entities in upper case', special(code => `&#X${code.toString(16).toUpperCase()};`)],
  ['as octal escapes of its bytes', specialBytes(byte => `\\${byte.toString(8).padStart(3, '0')}`)],
  ['as hexadecimal escapes of its bytes', specialBytes(byte => `\\x${byte.toString(16).padStart(2, '0')}`)],
  ['with backslashes before punctuation', ODD.replace(/[^\p{L}\p{N}😀]/gu, '\\$&')],
  ['as base64', bytes.toString('base64')],
  ['as base64 of URLs', bytes.toString('base64url')],
  ['as URL-encoded base64', encodeURIComponent(bytes.toString('base64'))],
  ['in base64, 1 byte behind', Buffer.from(`:${ODD}:`).toString('base64')],
  ['in base64, 2 bytes behind', Buffer.from(`u:${ODD}:`).toString('base64url')],
  ['in base64, 3 bytes behind', Buffer.from(`us:${ODD}:`).toString('base64')],
  ['as hexadecimal digits', bytes.toString('hex')],
  ['as hexadecimal digits in upper case', bytes.toString('hex').toUpperCase()],
  ['with code points in braces', special(code => `\\u{${code.toString(16)}}`)],
  ['decomposed', ODD.normalize('NFD')],
  ['decomposed and as JSON in ASCII', escaped(/[^ -~]/g).replace('\\u00e4', 'a\\u0308')],
  ['as UTF-16', Buffer.from(ODD, 'utf16le').toString('latin1').replace('=\xd8\x00\xde', '😀')],
  ['as base64 of UTF-16', Buffer.from(ODD, 'utf16le').toString('base64')],
  ['quoted-printable', specialBytes(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)],
  ['quoted-printable and broken', specialBytes(byte => `=\r\n=${byte.toString(16).toUpperCase().padStart(2, '0')}`)],
  ['as a dump of a buffer', inspect(bytes)],
  ['as JSON of a buffer', JSON.stringify(bytes)],
  ['as bytes in hexadecimal', [...bytes].map(byte => `0x${byte.toString(16)}`).join(', ')],
  ['as bytes with colons', bytes.toString('hex').replace(/..(?=.)/g, '$&:')],
  ['as bytes with hyphens', bytes.toString('hex').replace(/..(?=.)/g, '$&-')],
  ['as base64 broken anywhere', bytes.toString('base64').replace(/.{13}/g, '$&\n  ')],
  ['as base64 of JSON', Buffer.from(json).toString('base64')],
  ['as base64 of a URL', Buffer.from(percent).toString('base64')],
])('a secret is masked %s', (_, text) => {
  const secrets = new Secrets();
  secrets.add([ODD]);
  const shown = secrets.redact(`before ${text} after`);
  expect(shown).toMatch(/^before .{0,30}\*\*\*.{0,12} after$/s);
});

test('a secret whose code points are octal escapes is masked', () => {
  const secrets = new Secrets();
  secrets.add(['pässwörd']);
  expect(secrets.redact('p\\344ssw\\366rd')).toBe('***');
});

test('the start of a long secret that a dump of a buffer shows is masked', () => {
  const secrets = new Secrets();
  const secret = 'correct horse battery staple '.repeat(5);
  secrets.add([secret]);
  expect(inspect(Buffer.from(secret))).toContain('more bytes');
  expect(secrets.redact(inspect(Buffer.from(secret)))).toMatch(/^<Buffer \*\*\* \.\.\. \d+ more bytes>$/);
});

test('each line of a secret and the text between them is masked, but no brackets', () => {
  const secrets = new Secrets();
  secrets.add(['first line\n});\n-----\n  second line\nend']);
  expect(secrets.redact('a first line\n});\n-----\n  second line\nend b')).toBe('a *** b');
  expect(secrets.redact('second line: -----\n}); end, first line')).toBe('***: -----\n}); end, ***');
});

test('a secret with backslashes is masked in each encoding', () => {
  const secrets = new Secrets();
  const secret = 'C:\\<new>\\.ssh\\%41\\ä\\+x';
  secrets.add([secret]);
  const html = secret.replace('<', '&lt;').replace('>', '&gt;');
  for (const text of [secret, JSON.stringify(secret), encodeURIComponent(secret), html]) {
    expect(secrets.redact(text)).toMatch(/^"?\*\*\*"?$/);
  }
});

test('an entity beyond Unicode is treated as text', () => {
  const secrets = new Secrets();
  secrets.add(['hunter2']);
  expect(secrets.redact('&#9999999;&#xffffff; hunter2')).toBe('&#9999999;&#xffffff; ***');
});

test('everything that overlapping secrets cover is masked', () => {
  const secrets = new Secrets();
  secrets.add(['abcdeXYZ', 'XYZ12345']);
  expect(secrets.redact('abcdeXYZ12345 XYZ1')).toBe('*** XYZ1');
});

test('trivial words are not masked', () => {
  const secrets = new Secrets();
  secrets.add(['false', 'undefined', '     ', '\n\n\n\n\n\n']);
  expect(secrets.redact('false      undefined\n\n\n\n\n\n')).toBe('false      undefined\n\n\n\n\n\n');
});

test('masking takes time in proportion to the text, however many secrets there are and however hostile it is', () => {
  const secrets = new Secrets();
  secrets.add(Array.from({ length: 2000 }, (_, index) => `https://user${index}:pass${index * 7919}@host/${index}`));
  const encodings = [
    '\\',
    '%25',
    '\\u',
    '\\ud800',
    '\\x',
    '\\u{',
    '\\u{5c}',
    '=41',
    '=\n',
    '\0a',
    '68 ',
    'abcdefgh\n',
    '\\xc3',
    '\\x5c',
    '\\134',
    '\\045',
    '%5C',
    '&#',
    '&#0',
    '&#92;',
  ];
  for (const part of ['the quick brown fox ', 'https://user', 'aHR0cHM6Ly91c2Vy', ...encodings]) {
    const text = part.repeat(200_000 / part.length);
    const start = worked();
    secrets.redact(text);
    // Some 50 ms in fact; comparing each secret at each place takes minutes.
    expect(worked() - start).toBeLessThan(5000);
  }
});

test('masking takes time in proportion to a text that repeats the start of a long secret', () => {
  const line = (index: number) => `Ab${index}`.padEnd(64, 'xYz19');
  const pem = `-----BEGIN PRIVATE KEY-----\n${Array.from({ length: 250 }, (_, index) => line(index)).join('\n')}`;
  const secrets = new Secrets();
  secrets.add([pem, 'a'.repeat(20_000)]);
  for (const part of ['-', 'a', `${'a'.repeat(19_999)}b`, pem.slice(0, -1)]) {
    const text = part.repeat(200_000 / part.length);
    const start = worked();
    secrets.redact(text);
    // Some 20 ms in fact; hashing or comparing a whole secret at each place takes many seconds.
    expect(worked() - start).toBeLessThan(1000);
  }
});

test('a redacted text has the first 256 Ki characters and the number of the others', () => {
  const secrets = new Secrets();
  secrets.add(['hunter2']);
  const text = `${'+'.repeat(256 * 1024 - 5)} hunter2 ${'+'.repeat(4_000_000)}`;
  const shown = secrets.redact(text);
  expect(shown.slice(-60)).toBe(`${'+'.repeat(28)} *** … (4000001 more characters)`);
  expect(shown.length).toBeLessThan(257 * 1024);
  expect(new Secrets().redact(text).length).toBeLessThan(257 * 1024);
});

test('an encoded secret that the end of the shown text would cut in two is masked', () => {
  const secrets = new Secrets();
  const secret = 'pä+ss wörd/'.repeat(20);
  secrets.add([secret]);
  const escaped = [...secret].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const shown = secrets.redact(`${'x'.repeat(256 * 1024 - 10)}${escaped}${'y'.repeat(100)}`);
  expect(shown).toMatch(/^x+\*\*\* … \(100 more characters\)$/);
});

test('a guarded logger cleans messages, fields, errors and their causes', () => {
  const secrets = new Secrets();
  secrets.add(['hunter2']);
  const warn = vi.fn();
  const logger = secrets.guard({ warn } as unknown as Logger);
  const error = new Error('no hunter2', { cause: new TypeError('hunter2!') });
  const fieldsGiven = {
    list: ['hunter2'],
    deep: { hunter2: 'hunter2' },
    count: 1,
    error,
    url: new URL('http://hunter2'),
  };
  logger.warn('hunter2 failed', { ...fieldsGiven, bytes: Buffer.from('hunter2'), toJSON: () => 'hunter2' });
  const [message, fields] = warn.mock.calls[0] ?? [];
  expect(message).toBe('*** failed');
  expect(fields).toMatchObject({
    list: ['***'],
    deep: { '***': '***' },
    count: 1,
    bytes: '7 bytes',
    error: { message: 'no ***' },
  });
  expect(JSON.stringify(fields)).not.toContain('hunter2');
});

test('a guarded logger survives structures without end', () => {
  const endless: Record<string, unknown> = {};
  endless.self = endless;
  expect(() => new Secrets().guard(silentLogger).warn('endless', endless)).not.toThrow();
});

test('what only one MCP server had is forgotten with it, and nothing else', () => {
  const secrets = new Secrets();
  secrets.add(['for-good', 'of-an-input']);
  secrets.add(['only-of-one', 'of-both-servers', 'of-an-input'], 'one');
  secrets.add(['of-both-servers', 'only-of-two'], 'two');
  secrets.renew('oauth', ['some-token']);
  secrets.forget('one');
  secrets.forget('never-there');
  expect(secrets.redact('for-good of-an-input only-of-one of-both-servers only-of-two some-token')).toBe(
    '*** *** only-of-one *** *** ***',
  );
  secrets.add(['only-of-one'], 'one');
  expect(secrets.redact('only-of-one')).toBe('***');
});

test('of values that are renewed the last and the one before are masked, and all others as before', () => {
  const secrets = new Secrets();
  secrets.add(['fixed-secret']);
  for (const token of ['first-token', 'second-token', 'third-token']) secrets.renew('oauth', [token]);
  expect(secrets.redact('fixed-secret first-token second-token third-token')).toBe('*** first-token *** ***');
});
