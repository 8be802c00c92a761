import { buildDpeUri, buildWindowUri, ElementCategory, parseDpeUri, parseWindowUri } from '@a2c-smcp/protocol';
import { expect } from 'vitest';
import { verifies } from './verifies.ts';

const accepts = (uri: string) => expect(() => parseDpeUri(uri)).not.toThrow();
const refuses = (uri: string) => expect(() => parseDpeUri(uri)).toThrow(expect.objectContaining({ code: 4204 }));

verifies('window-uri.scheme', () => {
  expect(parseWindowUri('window://h').host).toBe('h');
  for (const uri of ['http://h', 'windows://h', 'dpe://h', 'https://example.com/a', 'dpe://example.com/a']) {
    expect(() => parseWindowUri(uri)).toThrow();
  }
});

verifies('window-uri.host', () => {
  for (const uri of ['window://', 'window:///a', 'window://?a']) expect(() => parseWindowUri(uri)).toThrow();
});

verifies('window-uri.path', () => {
  expect(parseWindowUri('window://h').path).toEqual([]);
  expect(parseWindowUri('window://h/a/c%2Fd').path).toEqual(['a', 'c/d']);
  expect(buildWindowUri('h', ['a', 'c/d'])).toBe('window://h/a/c%2Fd');
});

verifies('dpe-uri.scheme', () => {
  accepts('dpe://h');
  for (const uri of ['window://h', 'http://h/d', 'h/d', 'ftp://example.com/d', 'window://example.com/d']) refuses(uri);
});

verifies('dpe-uri.host', () => {
  for (const uri of ['dpe://', 'dpe:///d']) refuses(uri);
});

verifies('dpe-uri.sub-path', () => {
  for (const rest of ['pages/0', 'pages/17', 'elements/x']) accepts(`dpe://h/d/${rest}`);
  for (const rest of ['pages/-1', 'pages/x', 'pages/', 'elements/', 'sheets/1']) refuses(`dpe://h/d/${rest}`);
});

verifies('dpe-uri.format', () => {
  for (const format of ['json', 'markdown', 'text']) accepts(`dpe://h/d?format=${format}`);
  for (const format of ['html', 'JSON', '']) refuses(`dpe://h/d?format=${format}`);
});

verifies('dpe-uri.depth', () => {
  for (const depth of ['metadata', 'pages']) accepts(`dpe://h/d?depth=${depth}`);
  refuses('dpe://h/d?depth=elements');
});

verifies('dpe-uri.offset', () => {
  for (const offset of [0, 7]) accepts(`dpe://h/d?offset=${offset}`);
  for (const offset of [-1, 1.5, 'x']) refuses(`dpe://h/d?offset=${offset}`);
});

verifies('dpe-uri.limit', () => {
  for (const limit of [1, 100]) accepts(`dpe://h/d?limit=${limit}`);
  for (const limit of [0, 101, -1, 'x']) refuses(`dpe://h/d?limit=${limit}`);
});

verifies('dpe-uri.categories', () => {
  expect(ElementCategory.options).toHaveLength(19);
  accepts(`dpe://h/d/pages/0?categories=${ElementCategory.options.join(',')}`);
  for (const categories of ['', 'Table', 'table,nothing', ',']) refuses(`dpe://h/d/pages/0?categories=${categories}`);
});

verifies('dpe-uri.repeated', () => {
  expect(parseDpeUri('dpe://h/d?limit=5&offset=1&limit=7').query).toEqual({ limit: 5, offset: 1 });
  for (const query of [
    'limit=5&limit=1000',
    'format=json&format=pdf',
    'offset=0&x=1&offset=-1',
    'depth=pages&depth=',
  ]) {
    expect(() => parseDpeUri(`dpe://h/d?${query}`)).toThrow(expect.objectContaining({ code: 4204 }));
  }
});

verifies('dpe-uri.error', () => {
  const expected = { code: 4204, details: { uri: 'invalid://x' } };
  expect(() => parseDpeUri('invalid://x')).toThrow(expect.objectContaining(expected));
});

verifies('dpe-uri.levels', () => {
  const level = (uri: string) => parseDpeUri(uri).level;
  expect(['dpe://h', 'dpe://h/', 'dpe://h/d', 'dpe://h/d/pages/0', 'dpe://h/d/elements/e'].map(level)).toEqual([
    0, 0, 1, 2, 3,
  ]);
});

verifies('dpe-uri.segments', () => {
  expect(parseDpeUri('dpe://h/a%2Fb/elements/c%2Fd')).toMatchObject({ docRef: 'a/b', element: 'c/d' });
  refuses('dpe://h/d/pages/1/elements');
});

verifies('dpe-uri.lenient', () => {
  for (const uri of ['dpe://h?depth=pages', 'dpe://h/d/elements/e?limit=3', 'dpe://h/d?colour=red']) accepts(uri);
});

verifies('dpe-uri.build', () => {
  for (const element of ['e#1 %', 'a/b', '?x=1']) {
    const parts = { host: 'h', docRef: 'a/b?c', element };
    expect(parseDpeUri(buildDpeUri(parts))).toMatchObject(parts);
  }
});
