import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorCode, SmcpError } from '../errors.ts';
import { buildDpeUri, type DpeUriParts, parseDpeUri } from './dpe.ts';

describe('the four levels', () => {
  test.each([
    ['dpe://com.example.docs', { level: 0 }],
    ['dpe://com.example.docs/', { level: 0 }],
    ['dpe://com.example.docs/report', { level: 1, docRef: 'report' }],
    ['dpe://com.example.docs/a%2Fb%20c', { level: 1, docRef: 'a/b c' }],
    ['dpe://com.example.docs/report/pages/0', { level: 2, docRef: 'report', page: 0 }],
    ['dpe://com.example.docs/report/pages/12', { level: 2, docRef: 'report', page: 12 }],
    ['dpe://com.example.docs/report/elements/tbl-001', { level: 3, docRef: 'report', element: 'tbl-001' }],
    ['dpe://com.example.docs/report/elements/a%2Fb', { level: 3, docRef: 'report', element: 'a/b' }],
    ['dpe://com.example.docs/pages/pages/1', { level: 2, docRef: 'pages', page: 1 }],
    ['DPE://com.example.docs/report#part', { level: 1, docRef: 'report' }],
  ])('%s is parsed', (raw, expected) => {
    expect(parseDpeUri(raw)).toEqual({ host: 'com.example.docs', query: {}, ...expected });
  });
});

describe('the query', () => {
  test.each([
    ['format=json', { format: 'json' }],
    ['format=markdown', { format: 'markdown' }],
    ['format=text', { format: 'text' }],
    ['depth=metadata', { depth: 'metadata' }],
    ['depth=pages&offset=0&limit=1', { depth: 'pages', offset: 0, limit: 1 }],
    ['offset=40&limit=100', { offset: 40, limit: 100 }],
    ['categories=table', { categories: ['table'] }],
    ['categories=table,pivot_table,widget', { categories: ['table', 'pivot_table', 'widget'] }],
    ['categories=table%2Cchart', { categories: ['table', 'chart'] }],
    ['unknown=1&other', {}],
    ['', {}],
  ])('?%s', (query, expected) => {
    expect(parseDpeUri(`dpe://h/doc?${query}`).query).toEqual(expected);
  });

  test('a query is accepted on a level that does not use it', () => {
    expect(parseDpeUri('dpe://h/doc/elements/e1?limit=5&depth=pages').query).toEqual({ limit: 5, depth: 'pages' });
  });
});

describe('a URI that breaks a rule', () => {
  test.each([
    ['scheme', 'window://h/doc'],
    ['scheme', ''],
    ['scheme', 'dpe:h/doc'],
    ['host', 'dpe://'],
    ['host', 'dpe:///doc'],
    ['host', 'dpe://?format=json'],
    ['sub-path', 'dpe://h/doc/pages'],
    ['sub-path', 'dpe://h/doc/pages/'],
    ['sub-path', 'dpe://h/doc/pages/-1'],
    ['sub-path', 'dpe://h/doc/pages/1.5'],
    ['sub-path', 'dpe://h/doc/pages/one'],
    ['sub-path', 'dpe://h/doc/pages/99999999999999999999'],
    ['sub-path', 'dpe://h/doc/elements'],
    ['sub-path', 'dpe://h/doc/elements/'],
    ['sub-path', 'dpe://h/doc/sheets/1'],
    ['sub-path', 'dpe://h/doc/'],
    ['sub-path', 'dpe://h//pages/1'],
    ['sub-path', 'dpe://h/doc/pages/1/more'],
    ['sub-path', 'dpe://h/doc/elements/a/b'],
    ['encoding', 'dpe://h/%zz'],
    ['encoding', 'dpe://h/doc/elements/%ff'],
    ['format', 'dpe://h/doc?format=xml'],
    ['format', 'dpe://h/doc?format='],
    ['depth', 'dpe://h/doc?depth=all'],
    ['offset', 'dpe://h/doc?offset=-1'],
    ['offset', 'dpe://h/doc?offset=x'],
    ['offset', 'dpe://h/doc?offset='],
    ['limit', 'dpe://h/doc?limit=0'],
    ['limit', 'dpe://h/doc?limit=101'],
    ['limit', 'dpe://h/doc?limit=1e1'],
    ['categories', 'dpe://h/doc?categories=tabel'],
    ['categories', 'dpe://h/doc?categories='],
    ['categories', 'dpe://h/doc?categories=table,'],
  ])('a wrong %s is refused with 4204: %s', (_, raw) => {
    const expected = { code: ErrorCode.InvalidDpeUri, details: { uri: raw } };
    expect(() => parseDpeUri(raw)).toThrow(expect.objectContaining(expected));
  });
});

describe('building', () => {
  test.each([
    [{ host: 'h' }, 'dpe://h'],
    [{ host: 'h', docRef: 'a/b c' }, 'dpe://h/a%2Fb%20c'],
    [{ host: 'h', docRef: 'doc', page: 3 }, 'dpe://h/doc/pages/3'],
    [{ host: 'h', docRef: 'doc', element: 'e?1' }, 'dpe://h/doc/elements/e%3F1'],
    [
      { host: 'h', docRef: 'doc', query: { depth: 'pages', offset: 0, limit: 20 } },
      'dpe://h/doc?depth=pages&offset=0&limit=20',
    ],
    [
      { host: 'h', docRef: 'd', page: 0, query: { categories: 'table,text' } },
      'dpe://h/d/pages/0?categories=table,text',
    ],
    [{ host: 'h', docRef: 'd', query: { 'x y': 'a&b' } }, 'dpe://h/d?x%20y=a%26b'],
  ])('%j is built', (parts, uri) => {
    expect(buildDpeUri(parts)).toBe(uri);
  });

  test.each<[DpeUriParts]>([
    [{ host: '' }],
    [{ host: 'a/b' }],
    [{ host: 'h', docRef: '' }],
    [{ host: 'h', page: 1 }],
    [{ host: 'h', element: 'e' }],
    [{ host: 'h', docRef: 'd', page: 1, element: 'e' }],
    [{ host: 'h', docRef: 'd', page: -1 }],
    [{ host: 'h', docRef: 'd', page: 1.5 }],
    [{ host: 'h', docRef: 'd', element: '' }],
    [{ host: 'h', docRef: '\ud800' }],
    [{ host: 'h', docRef: 'd', query: { limit: 1000 } }],
  ])('building refuses %j', parts => {
    expect(() => buildDpeUri(parts)).toThrow(SmcpError);
  });
});

describe('any text', () => {
  const pieces = [
    'dpe://',
    'h',
    '/',
    'pages',
    'elements',
    '1',
    '%',
    '%zz',
    '%2F',
    '?',
    '&',
    'limit=',
    '#',
    '\0',
    '\ud800',
  ];
  const anyText = fc.string({ unit: fc.nat(0xffff).map(code => String.fromCharCode(code)) });
  const hostile = fc.oneof(
    anyText,
    anyText.map(text => `dpe://${text}`),
    fc.array(fc.constantFrom(...pieces)).map(chosen => `dpe://h/${chosen.join('')}`),
  );

  test('parsing any text gives a value or an SmcpError', () => {
    fc.assert(
      fc.property(hostile, raw => {
        try {
          parseDpeUri(raw);
        } catch (error) {
          expect(error).toBeInstanceOf(SmcpError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('any document name survives building and parsing', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 });
    const target = fc.oneof(fc.constant({}), fc.record({ page: fc.nat() }), fc.record({ element: name }));
    fc.assert(
      fc.property(name, target, (docRef, parts) => {
        const uri = buildDpeUri({ host: 'com.example', docRef, ...parts });
        const { level: _level, query: _query, ...parsed } = parseDpeUri(uri);
        expect(parsed).toEqual({ host: 'com.example', docRef, ...parts });
        expect(buildDpeUri(parsed)).toBe(uri);
      }),
    );
  });

  test.each(['a', '/', '%', '%41', '%zz', '?a=b', '&', '#', '\0', 'é', '\ud800', 'table,'])(
    '100 kB of %j are parsed in linear time',
    piece => {
      const long = piece.repeat(100_000 / piece.length);
      const before = process.cpuUsage();
      for (const raw of [`dpe://h/${long}`, `dpe://h/d?categories=${long}`]) {
        try {
          parseDpeUri(raw);
        } catch (error) {
          expect((error as SmcpError).message.length).toBeLessThan(3000);
        }
      }
      // A millisecond per kilobyte, in microseconds of CPU: a busy machine does not matter.
      expect(process.cpuUsage(before).user).toBeLessThan(200_000);
    },
  );
});
