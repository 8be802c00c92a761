import { expect, test } from 'vitest';
import { fillPlaceholders } from './placeholders.ts';

const values: Record<string, unknown> = {
  'input:port': 8080,
  'input:list': ['a', 'b'],
  'input:name': 'Ann',
  'input:greeting': 'Hello ${input:name}',
  'input:loop': '${input:loop}',
  'input:dollar': "$& and $'",
  'env:HOME': '/home/ann',
};
const lookUp = async ({ kind, name }: { kind: string; name: string }) => values[`${kind}:${name}`];

test.each([
  ['${input:port}', 8080],
  ['${input:list}', ['a', 'b']],
  ['port ${input:port}', 'port 8080'],
  ['${input:name}${input:name}', 'AnnAnn'],
  ['${env:HOME}/x', '/home/ann/x'],
  ['${input:greeting}!', 'Hello Ann!'],
  ['${input:unknown}', '${input:unknown}'],
  ['a ${input:unknown} b', 'a ${input:unknown} b'],
  ['${input:loop}', '${input:loop}'],
  ['x${input:dollar}x', "x$& and $'x"],
  ['${workspaceFolder} $ {input:name}', '${workspaceFolder} $ {input:name}'],
  [
    { deep: [{ x: '${input:name}' }], n: 1, z: null },
    { deep: [{ x: 'Ann' }], n: 1, z: null },
  ],
])('the placeholders of %j are filled as %j', async (given, filled) => {
  expect(await fillPlaceholders<unknown>(given, lookUp)).toEqual(filled);
});

test('only inputs that a structure refers to are looked up', async () => {
  const asked: string[] = [];
  await fillPlaceholders({ a: 'x', b: '${input:name}' }, async ({ name }) => asked.push(name));
  expect(asked).toEqual(['name']);
});
