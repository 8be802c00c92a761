import { describe, expect, test } from 'vitest';
import { headersOf, readHeaderParameters } from './param-headers.ts';

const schemaOf = (properties: object, more = {}) => ({ type: 'object', properties, ...more });
const named = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });

describe('parameters that are headers', () => {
  test('declared parameters become headers at any depth of properties', () => {
    const schema = schemaOf({
      region: named('Region'),
      deep: schemaOf({ count: named('Count', 'integer') }),
      plain: { type: 'string' },
    });
    const parameters = readHeaderParameters(schema);
    expect(headersOf(parameters, { region: 'eu', deep: { count: 3 }, plain: 'x' })).toEqual({
      ...{ 'Mcp-Param-Region': 'eu', 'Mcp-Param-Count': '3' },
    });
    expect(headersOf(parameters, { region: null, deep: 'no object' })).toEqual({});
    expect(headersOf(parameters, { region: { no: 'text' }, deep: { count: 2 ** 60 } })).toEqual({});
  });

  test.each([
    ['plain text', 'plain text'],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['', '=?base64??='],
    [' padded', '=?base64?IHBhZGRlZA==?='],
    ['a\r\nInjected: 1', '=?base64?YQ0KSW5qZWN0ZWQ6IDE=?='],
    ['世界', '=?base64?5LiW55WM?='],
    [true, 'true'],
    [0, '0'],
    [Number.NaN, undefined],
  ])('the value %j is sent as %j', (value, expected) => {
    const [header] = Object.values(headersOf([{ header: 'X', path: ['x'] }], { x: value }));
    expect(header).toBe(expected);
  });

  test('names of object prototypes are no parameters', () => {
    const parameters = readHeaderParameters(
      schemaOf({ toString: named('X'), constructor: schemaOf({ name: named('Y') }) }),
    );
    expect(headersOf(parameters, {})).toEqual({});
  });

  test.each([
    ['an empty name', schemaOf({ a: named('') })],
    ['a name with a space', schemaOf({ a: named('My Header') })],
    ['a name with a line break', schemaOf({ a: named('A\r\nB') })],
    ['no text as its name', schemaOf({ a: named(1) })],
    ['a number', schemaOf({ a: named('A', 'number') })],
    ['an object', schemaOf({ a: named('A', 'object') })],
    ['no type', schemaOf({ a: { 'x-mcp-header': 'A' } })],
    ['a name twice', schemaOf({ a: named('A'), b: schemaOf({ c: named('a') }) })],
    ['the whole schema', { ...schemaOf({}), 'x-mcp-header': 'A', type: 'string' }],
    ['items', schemaOf({ a: { type: 'array', items: named('A') } })],
    ['one of several', schemaOf({ a: { anyOf: [named('A')] } })],
    ['a definition', schemaOf({}, { $defs: { a: named('A') } })],
    ['a property of a definition', schemaOf({}, { $defs: { a: schemaOf({ b: named('A') }) } })],
  ])('a schema is refused that declares a header with %s', (_, schema) => {
    expect(() => readHeaderParameters(schema)).toThrow();
  });

  test('examples and defaults that look like declarations are data', () => {
    expect(
      readHeaderParameters(schemaOf({ a: { type: 'object', default: named('A'), examples: [named('')] } })),
    ).toEqual([]);
  });
});
