import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { changeText } from './change-text.ts';

test('a new field follows the last one and its comment, in the indentation of the file', () => {
  const text = '{\n\t"servers": {\n\t\t"a": { "x": 1 } // kept\n\t}\n}\n';
  expect(changeText(text, { path: ['servers', 'b'], value: { y: [2] } })).toBe(
    '{\n\t"servers": {\n\t\t"a": { "x": 1 }, // kept\n\t\t"b": {\n\t\t\t"y": [\n\t\t\t\t2\n\t\t\t]\n\t\t}\n\t}\n}\n',
  );
});

test('a trailing comma is kept', () => {
  const text = '{\n  "servers": {\n    "a": 1, // one\n  },\n}';
  expect(changeText(text, { path: ['servers', 'b'], value: 2 })).toBe(
    '{\n  "servers": {\n    "a": 1, // one\n    "b": 2,\n  },\n}',
  );
});

test('a field in an object of one line stays on the line', () => {
  const text = '{\n  "servers": {\n    "a": { "type": "stdio" }\n  }\n}';
  expect(changeText(text, { path: ['servers', 'a', 'tool_meta', 't', 'auto_apply'], value: true })).toBe(
    '{\n  "servers": {\n    "a": { "type": "stdio", "tool_meta": { "t": { "auto_apply": true } } }\n  }\n}',
  );
});

test('items are added to a list, which is created if there is none', () => {
  const first = changeText('{\n  "servers": {}\n}', { path: ['inputs', 0], value: { id: 'a' } });
  const second = changeText(first, { path: ['inputs', 1], value: { id: 'b' } });
  expect(parse(second)).toEqual({ servers: {}, inputs: [{ id: 'a' }, { id: 'b' }] });
});

test('a removed field leaves the lines of its neighbours as they are', () => {
  const lines = [
    '{',
    '  "servers": {',
    '    "a": { "x": [1] },',
    '    "b": { "y": 2 },',
    '    "c": { "z": 3 }',
    '  }',
    '}',
  ];
  const without = (...dropped: number[]) => lines.filter((_, index) => !dropped.includes(index)).join('\n');
  const remove = (name: string) => changeText(lines.join('\n'), { path: ['servers', name], value: undefined });
  expect(remove('a')).toBe(without(2));
  expect(remove('b')).toBe(without(3));
  expect(remove('c')).toBe(without(4).replace('2 },', '2 }'));
});

test('fields are replaced and removed in place, and an empty object is filled', () => {
  const text = '{ // mine\n  "servers": {\n    "a": 1,\n    "b": 2\n  }\n}';
  const replaced = changeText(text, { path: ['servers', 'a'], value: 3 });
  const removed = changeText(replaced, { path: ['servers', 'b'], value: undefined });
  expect(removed).toContain('// mine');
  expect(parse(removed)).toEqual({ servers: { a: 3 } });
  expect(parse(changeText('{ "servers": {} }', { path: ['servers', 'x'], value: 1 }))).toEqual({ servers: { x: 1 } });
});

test.each([
  ['{\r\n  "a": 1\r\n}', { a: 1, b: { c: 2 } }],
  ['{ "a": 1 }', { a: 1, b: { c: 2 } }],
  ['{ "a": "x, // no comment" }', { a: 'x, // no comment', b: { c: 2 } }],
  ['{\n  "a": 1 /* note */,\n}', { a: 1, b: { c: 2 } }],
  ['{}', { b: { c: 2 } }],
])('%j is still valid after a change', (text, expected) => {
  expect(parse(changeText(text, { path: ['b', 'c'], value: 2 }), [], { allowTrailingComma: true })).toEqual(expected);
});
