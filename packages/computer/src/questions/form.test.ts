import { describe, expect, test } from 'vitest';
import { fillForm, readForm } from './form.ts';

const fieldsOf = (properties: Record<string, unknown>, required: string[] = []) =>
  readForm({ type: 'object', properties, required }) ?? [];
const fill = (schema: unknown, value: unknown, required = ['f']) => {
  const { content, problems } = fillForm(fieldsOf({ f: schema }, required), value === undefined ? {} : { f: value });
  return problems.f ?? content.f;
};

describe('a form', () => {
  test.each([
    ['a text', { type: 'string' }, 'x', 'x'],
    ['an empty text', { type: 'string' }, '', ''],
    ['a text that is too short', { type: 'string', minLength: 2 }, 'x', 'must have at least 2 characters'],
    ['a text counted in characters', { type: 'string', maxLength: 1 }, '😀', '😀'],
    ['an e-mail address', { type: 'string', format: 'email' }, 'nobody', 'must be an e-mail address'],
    ['an address', { type: 'string', format: 'uri' }, 'no address', 'must be an address such as https://example.com'],
    ['a date', { type: 'string', format: 'date' }, '2026-02-30', 'must be a date such as 2026-01-31'],
    ['a real date', { type: 'string', format: 'date' }, '2026-02-28', '2026-02-28'],
    ['a time', { type: 'string', format: 'date-time' }, '2026-02-28T12:00Z', '2026-02-28T12:00Z'],
    ['a number typed as text', { type: 'number' }, '1.5', 1.5],
    ['a whole number', { type: 'integer' }, 1.5, 'must be a whole number'],
    ['a number below its minimum', { type: 'number', minimum: 2 }, 1, 'must be at least 2'],
    ['no number', { type: 'number' }, 'one', 'must be a number'],
    ['a yes', { type: 'boolean' }, 'Yes', true],
    ['neither yes nor no', { type: 'boolean' }, 'maybe', 'must be yes or no'],
    ['an option', { type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
    ['an option by its label', { type: 'string', enum: ['a'], enumNames: ['Alpha'] }, 'Alpha', 'a'],
    ['a titled option', { type: 'string', oneOf: [{ const: 'a', title: 'Alpha' }] }, 'Alpha', 'a'],
    ['no option', { type: 'string', enum: ['a', 'b'] }, 'c', "must be one of 'a', 'b'"],
    ['several options', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'a, b', ['a', 'b']],
    ['too few options', { type: 'array', minItems: 1, items: { enum: ['a'] } }, [], 'must be at least 1'],
    ['a missing value', { type: 'string' }, undefined, 'is required'],
    ['a default', { type: 'integer', default: 7 }, undefined, 7],
  ])('takes %s', (_, schema, value, expected) => {
    expect(fill(schema, value)).toEqual(expected);
  });

  test('leaves out what is neither given nor required, and drops what no field has', () => {
    expect(fillForm(fieldsOf({ a: { type: 'string' } }), { b: 1 })).toEqual({ content: {}, problems: {} });
  });

  test.each([
    ['a nested object', { type: 'object', properties: { a: { type: 'object' } } }],
    ['no properties', { type: 'object' }],
    ['a choice without options', { type: 'object', properties: { a: { type: 'string', enum: [] } } }],
    ['no object', 'text'],
  ])('is refused with %s', (_, schema) => {
    expect(readForm(schema)).toBeUndefined();
  });

  test('marks fields that look like secrets, which MCP does not allow', () => {
    const fields = fieldsOf({
      apiKey: { type: 'string' },
      name: { type: 'string', title: 'Password' },
      key: { type: 'string' },
    });
    expect(fields.map(({ looksSecret }) => looksSecret)).toEqual([true, true, false]);
  });
});
