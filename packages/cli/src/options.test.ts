import { describe, expect, test } from 'vitest';
import { connectionOf, readAssignment, readPairs } from './options.ts';

describe('pairs', () => {
  test.each([
    ['k:v', { k: 'v' }],
    ['k:v,k2:v2', { k: 'v', k2: 'v2' }],
    [' k : v , k2 : a:b ,', { k: 'v', k2: 'a:b' }],
    ['date: Mon, 01 Jan 2026', { date: 'Mon, 01 Jan 2026' }],
    ['{"k": {"deep": 1}}', { k: { deep: 1 } }],
    ['', {}],
  ])('readPairs reads %j', (text, expected) => {
    expect(readPairs('--auth', text)).toEqual(expected);
  });

  test.each(['x', ':v', '{"k":', '{"k":1}, x'])('readPairs refuses %j', text => {
    expect(() => readPairs('--auth', text)).toThrow('--auth');
  });
});

test.each([
  ['a header without a name', () => readPairs('--header', 'canary-4711')],
  ['broken JSON', () => readPairs('--auth', '{"k": canary-4711')],
  ['an input without an id', () => readAssignment('--input', 'canary-4711')],
])('the message about %s does not repeat it', (_, read) => {
  expect(read).toThrow(/^(?!.*canary).*--/);
});

test('readAssignment allows = in a value', () => {
  expect(readAssignment('--input', 'token=a=b')).toEqual(['token', 'a=b']);
  expect(() => readAssignment('--input', '=b')).toThrow("--input: not a 'key=value'");
});

test('connectionOf combines key, token and headers', () => {
  const options = {
    url: '',
    office: 'o',
    key: 'k',
    token: 't',
    auth: 'a:b',
    header: ['x-team: red', 'x-api-key: mine'],
  };
  expect(connectionOf(options)).toEqual({
    office: 'o',
    auth: { a: 'b' },
    headers: { 'x-api-key': 'mine', authorization: 'Bearer t', 'x-team': 'red' },
  });
});
