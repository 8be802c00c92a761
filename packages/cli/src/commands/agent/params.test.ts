import { describe, expect, test } from 'vitest';
import { readParams, splitWords } from './params.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    loud: { type: 'boolean' },
    list: { type: 'array' },
    any: {},
    either: { type: ['string', 'null'] },
    names: { type: 'array', items: { type: 'string' } },
    sizes: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
    page: { $ref: '#/$defs/Page' },
    'dotted.name': { type: 'integer' },
  },
  $defs: { Page: { type: 'object', properties: { number: { type: 'integer' }, on: { type: 'object' } } } },
};

const files = new Map([
  ['note.txt', 'line\n'],
  ['list.json', '[1]'],
  ['-', 'piped'],
]);
const read = async (path: string) => {
  const text = files.get(path);
  if (text === undefined) throw Object.assign(new Error(), { code: 'ENOENT', path });
  return text;
};
const paramsOf = async (words: readonly string[], json?: string) =>
  readParams(await splitWords(words, read), json, schema);

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
    [['names=a'], { names: ['a'] }],
    [['names=a', 'names=b'], { names: ['a', 'b'] }],
    [['names=["a"]'], { names: ['a'] }],
    [['sizes=1', 'sizes=2'], { sizes: [1, 2] }],
    [['list:=1', 'list:={"a":2}'], { list: [1, { a: 2 }] }],
    [['any=x', 'any=y'], { any: ['x', 'y'] }],
    [['page.number=2', 'page.on.top=x', 'count=1'], { page: { number: 2, on: { top: 'x' } }, count: 1 }],
    [['dotted.name=3'], { 'dotted.name': 3 }],
    [['text=@note.txt'], { text: 'line\n' }],
    [['text=@-'], { text: 'piped' }],
    [['text=@@someone'], { text: '@someone' }],
    [['any:=@list.json'], { any: [1] }],
    [['list=@list.json'], { list: [1] }],
  ])('readParams reads %j as %j', async (words, expected) => {
    expect(await paramsOf(words)).toEqual(expected);
  });

  test.each([
    [['count=many'], "count: 'many' is not a number"],
    [['loud=yes'], "loud: 'yes' is neither 'true' nor 'false'"],
    [['list=[1'], 'list: no valid JSON'],
    [['text'], "'text' is not 'key=value'"],
    [['text=a', 'text=b'], 'text: it is given twice, and takes one value'],
    [['page.number=x'], "page.number: 'x' is not a number"],
    [['pgae.number=1'], "no parameter 'pgae.number'"],
    [['text=@nobody'], "text: there is no file 'nobody'; write text=@@nobody for the text '@nobody'"],
    [['txt=1'], "no parameter 'txt': did you mean 'text'?"],
  ])('readParams refuses %j', async (words, message) => {
    await expect(paramsOf(words)).rejects.toThrow(message);
  });

  test('words win over JSON in readParams, field by field', async () => {
    expect(await paramsOf(['text=b'], '{"text":"a","count":1}')).toEqual({ text: 'b', count: 1 });
    const page = { number: 1, on: {} };
    expect(await paramsOf(['page.number=2'], JSON.stringify({ page }))).toEqual({ page: { ...page, number: 2 } });
  });

  test('readParams cannot change the prototype of objects', async () => {
    const words = await splitWords(['__proto__.x=1', 'constructor.prototype.y=2'], read);
    const hostile = { properties: JSON.parse('{"__proto__": {}, "constructor": {}}') };
    const params = readParams(words, undefined, hostile);
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
    expect(Object.keys({}).length + Object.keys(Object.prototype).length).toBe(0);
    expect(JSON.stringify(params)).toBe('{"__proto__":{"x":"1"},"constructor":{"prototype":{"y":"2"}}}');
  });

  test('readParams accepts all parameters of a tool without a schema', async () => {
    expect(readParams(await splitWords(['x=1', 'a.b=2'], read), undefined, {})).toEqual({ x: '1', 'a.b': '2' });
  });
});
