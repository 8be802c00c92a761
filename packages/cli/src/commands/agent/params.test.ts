import { describe, expect, test } from 'vitest';
import { readParams } from './params.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    loud: { type: 'boolean' },
    list: { type: 'array' },
    any: {},
    either: { type: ['string', 'null'] },
  },
};

describe('readParams', () => {
  test.each([
    [['text=42'], { text: '42' }],
    [['text=a=b'], { text: 'a=b' }],
    [['text='], { text: '' }],
    [['count=42'], { count: 42 }],
    [['loud=true'], { loud: true }],
    [['list=[1,2]'], { list: [1, 2] }],
    [['any=x'], { any: 'x' }],
    [['any:={"a":1}'], { any: { a: 1 } }],
    [['either=x'], { either: 'x' }],
  ])('readParams reads %j as %j', (words, expected) => {
    expect(readParams(words, undefined, schema)).toEqual(expected);
  });

  test.each([
    [['count=many'], "count: 'many' is not a number"],
    [['loud=yes'], "loud: 'yes' is neither 'true' nor 'false'"],
    [['list=[1'], 'list: no valid JSON'],
    [['text'], "'text' is not 'key=value'"],
    [['txt=1'], "no parameter 'txt': did you mean 'text'?"],
  ])('readParams refuses %j', (words, message) => {
    expect(() => readParams(words, undefined, schema)).toThrow(message);
  });

  test('words win over JSON in readParams', () => {
    expect(readParams(['text=b'], '{"text":"a","count":1}', schema)).toEqual({ text: 'b', count: 1 });
  });

  test('readParams accepts all parameters of a tool without a schema', () => {
    expect(readParams(['x=1'], undefined, {})).toEqual({ x: '1' });
  });
});
