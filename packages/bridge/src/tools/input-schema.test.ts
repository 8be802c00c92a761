import { describe, expect, test } from 'vitest';
import { toInputSchema } from './input-schema.ts';

describe('toInputSchema', () => {
  test('schemas without headers are unchanged, and always of an object', () => {
    expect(toInputSchema({ properties: { a: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
    expect(toInputSchema({ type: ['object', 'null'] })).toEqual({ type: 'object' });
  });

  test('headers of parameters are removed at any depth', () => {
    const tenant = { type: 'string', 'x-mcp-header': 'Tenant' };
    const schema = { type: 'object', properties: { tenant, nested: { anyOf: [{ properties: { tenant } }] } } };
    expect(toInputSchema(schema)).toEqual({
      type: 'object',
      properties: {
        tenant: { type: 'string' },
        nested: { anyOf: [{ properties: { tenant: { type: 'string' } } }] },
      },
    });
  });

  test('a parameter of that name stays', () => {
    const schema = { type: 'object', properties: { 'x-mcp-header': { type: 'string' } } };
    expect(toInputSchema(schema)).toEqual(schema);
  });
});
