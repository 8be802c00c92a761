import { expect, expectTypeOf, test } from 'vitest';
import { CallToolResult, type ContentBlock } from './tools.ts';

test('the fields of a block have their types without casts, and blocks of unknown types are accepted', () => {
  const blocks: ContentBlock[] = [
    { type: 'text', text: 'hi' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'A' } },
    { type: 'hologram', depth: 3 },
  ];
  expect(CallToolResult.parse({ content: blocks }).content).toEqual(blocks);
  const [block] = blocks;
  expectTypeOf(block?.text).toEqualTypeOf<string | undefined>();
  if (block?.type === 'image') expectTypeOf(block.data).toEqualTypeOf<string | undefined>();
  if (block?.type === 'text' && block.text !== undefined) expectTypeOf(block.text).toBeString();
});
