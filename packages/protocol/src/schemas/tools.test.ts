import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { CallToolResult, type ContentBlock, readAs, ToolCallReq } from './tools.ts';

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, JSON.parse('{"__proto__":{"type":"text"}}'), JSON.parse('[{"__proto__":1,"type":"t"}]')),
);

/** A structure in which each field is right, wrong or missing. */
function nearly(fields: Record<string, fc.Arbitrary<unknown>>) {
  const dubious = Object.entries(fields).map(([key, right]) => [
    key,
    fc.oneof({ arbitrary: right, weight: 8 }, { arbitrary: anything, weight: 1 }),
  ]);
  return fc.record({ ...Object.fromEntries(dubious), more: anything }, { requiredKeys: [] }).map(asReceived);
}

/** The value as a peer would receive it: with the prototypes that `JSON.parse` gives. */
function asReceived(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const json = fc.dictionary(fc.string(), fc.jsonValue());
const requests = nearly({
  agent: fc.string(),
  req_id: fc.string(),
  computer: fc.string(),
  tool_name: fc.string(),
  params: json,
  timeout: fc.oneof(fc.integer({ min: -1, max: 4000 }), fc.double()),
});
const results = nearly({
  content: fc.array(nearly({ type: fc.string(), text: fc.string() })),
  structuredContent: json,
  isError: fc.boolean(),
  meta: fc.option(json),
});

test.each([
  ['ToolCallReq', ToolCallReq, requests],
  ['CallToolResult', CallToolResult, results],
] as const)('the fast validator of %s agrees with the schema, and takes part of the values', (_, schema, values) => {
  let fast = 0;
  fc.assert(
    fc.property(fc.oneof(values, anything), value => {
      const byValidator = readAs(schema, value);
      const bySchema = schema.safeParse(value);
      expect(byValidator.success).toBe(bySchema.success);
      if (byValidator.data === value) fast += 1;
      expect(byValidator.data).toStrictEqual(bySchema.data);
    }),
    { numRuns: 2000 },
  );
  expect(fast).toBeGreaterThan(50);
});

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
