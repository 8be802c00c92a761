import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAs } from './certain.ts';
import { CallToolResult, ToolCallReq } from './schemas/tools.ts';

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

/** What is not told from ordinary JSON by its prototype. */
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
] as const)('%s by hand is what the schema makes of it', (_, schema, values) => {
  let certain = 0;
  fc.assert(
    fc.property(fc.oneof(values, anything), value => {
      const byHand = readAs(schema, value);
      const bySchema = schema.safeParse(value);
      expect(byHand.success).toBe(bySchema.success);
      if (byHand.data === value) certain += 1;
      expect(byHand.data).toStrictEqual(bySchema.data);
    }),
    { numRuns: 2000 },
  );
  expect(certain).toBeGreaterThan(50);
});
