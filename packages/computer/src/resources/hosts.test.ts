import { expect, test } from 'vitest';
import { findHostClashes, hostsOf, isReverseDomain } from './hosts.ts';

test('hosts are those of valid window and dpe URIs', () => {
  const uris = [
    'window://a.b/x',
    'dpe://c.d',
    'DPE://e.f/doc',
    'window://',
    'dpe://g/x/y',
    'file:///x',
    'window://a.b',
  ];
  expect([...hostsOf(uris)]).toEqual(['a.b', 'c.d', 'e.f']);
});

test('a host that several servers use is a clash, the first server first', () => {
  const uses = [
    { server: 'one', hosts: ['a.b', 'a.b', 'own'] },
    { server: 'two', hosts: ['c.d'] },
    { server: 'three', hosts: ['c.d', 'a.b'] },
  ];
  expect(findHostClashes(uses)).toEqual([
    { host: 'a.b', servers: ['one', 'three'] },
    { host: 'c.d', servers: ['two', 'three'] },
  ]);
});

test.each([
  ['com.example.app', true],
  ['com.example2.app', true],
  ['example', false],
  ['com.Example', false],
  ['com.example-app', false],
  ['com..example', false],
  ['com.example:8080', false],
])('%s is in reverse-domain style: %s', (host, expected) => {
  expect(isReverseDomain(host)).toBe(expected);
});
