import { describe, expect, test } from 'vitest';
import { worked } from '../../../../tests/worked.ts';
import { exampleWords } from './example-call.ts';
import { parametersOf } from './parameters.ts';

/** A schema as generators write them: references, optional values as alternatives of null, nested objects. */
const schema = {
  type: 'object',
  required: ['path', 'edits', 'where', 'tags'],
  properties: {
    path: { type: 'string', description: 'The file' },
    sort: { enum: ['name', 'size'], default: 'name' },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    where: { $ref: '#/$defs/Place' },
    edits: { type: 'array', items: { $ref: '#/$defs/Edit' }, minItems: 1 },
    tags: { type: 'array', items: { type: 'string' } },
    safe: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  },
  $defs: {
    Edit: {
      type: 'object',
      required: ['old text'],
      properties: { 'old text': { type: 'string' }, next: { $ref: '#/$defs/Edit' } },
    },
    Place: { type: 'object', required: ['line'], properties: { line: { type: 'integer', minimum: 3 } } },
  },
};

describe('parametersOf', () => {
  const facts = new Map(parametersOf(schema).map(({ name, facts }) => [name, facts]));

  test.each([
    ['path', 'string, required'],
    ['sort', '"name" or "size", default "name"'],
    ['count', 'integer, 1 to 10'],
    ['note', 'string'],
    ['either', 'string or number'],
    ['where.line', 'integer, required, at least 3'],
    ['edits', 'list of objects, required, at least 1 items'],
    ['edits[].old text', 'string, required'],
    ['tags', 'list of strings, required'],
    ['safe', 'integer'],
  ])('parametersOf describes %s as %s', (name, text) => {
    expect(facts.get(name)).toBe(text);
  });

  test('parametersOf and exampleWords take a small schema with millions of fields, or without an end, in little time', () => {
    const names = Array.from({ length: 300 }, (_, at) => `f${at}`);
    const wide = {
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map(name => [name, { $ref: '#' }])),
    };
    const start = worked();
    expect(parametersOf(wide)).toHaveLength(200);
    expect(exampleWords({ ...wide, required: ['f0'] })).toHaveLength(1);
    expect(exampleWords(wide).join(' ').length).toBeLessThan(30_000_000);
    expect(worked() - start).toBeLessThan(20_000);
    const endless = {
      properties: { a: { $ref: '#/$defs/List' }, b: { $ref: '#/$defs/Either' } },
      $defs: {
        List: { type: 'array', items: { $ref: '#/$defs/List' } },
        Either: { anyOf: [{ $ref: '#/$defs/Either' }, { type: 'string' }] },
      },
    };
    expect(parametersOf(endless).map(({ facts }) => facts)).toEqual([
      'list of list of list of any',
      'any or string or string',
    ]);
    expect(exampleWords({ ...endless, required: ['a', 'b'] })).toHaveLength(2);
  });

  test('parametersOf ends in schemas that refer to themselves, and takes any value for a schema', () => {
    expect([...facts.keys()].some(name => name.includes('next.next.next'))).toBe(false);
    const circle = { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/A' } } };
    expect(parametersOf(circle)).toEqual([{ name: 'a', facts: 'any', description: '' }]);
    expect(parametersOf({ properties: { a: 5, b: { enum: 'x', items: 3, anyOf: [4] } }, required: 'a' })).toHaveLength(
      2,
    );
    expect(parametersOf({ properties: 7 })).toEqual([]);
  });
});

describe('exampleWords', () => {
  test('exampleWords gives each required parameter in the form that a call takes', () => {
    expect(exampleWords(schema)).toEqual([
      'path=PATH',
      'where.line=3',
      `edits:='[{"old text":"OLD_TEXT"}]'`,
      'tags=TAGS',
    ]);
  });

  test('exampleWords shows an optional parameter where none is required, with a value of the schema', () => {
    expect(exampleWords({ properties: { zone: { type: 'string', examples: ["O'Higgins"] }, b: {} } })).toEqual([
      `zone='O'\\''Higgins'`,
    ]);
    expect(exampleWords({})).toEqual([]);
  });

  test('exampleWords gives no word of a peer a meaning for the shell or for a2c', () => {
    const properties = {
      'a; rm -rf ~ #\n': { default: '@/etc/passwd' },
      $b: { const: '$(id)' },
      c: { default: 'x'.repeat(500) },
    };
    const required = { type: 'object', required: Object.keys(properties), properties };
    expect(exampleWords({ properties })).toEqual([`'a; rm -rf ~ #'=@@/etc/passwd`]);
    expect(exampleWords(required)).toContain(`'$b'='$(id)'`);
    expect(exampleWords({ properties: { c: properties.c } })).toEqual(['c=C']);
  });
});
