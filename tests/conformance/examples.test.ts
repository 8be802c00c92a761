import { GetDeskTopRet, SMCPTool, ToolMeta } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import examples from './fixtures/examples.json' with { type: 'json' };

const schemas = { GetDeskTopRet, SMCPTool, ToolMeta };

describe.each(Object.entries(schemas))('an example of %s is parsed without a change', (name, schema) => {
  const payloads: unknown[] = examples[name as keyof typeof schemas];
  test.each(payloads.map(payload => [payload]))('%j', payload => {
    expect(schema.parse(payload)).toEqual(payload);
  });
});

test("the JSON text in a tool's metadata is a ToolMeta", () => {
  const [, tool] = examples.SMCPTool;
  expect(ToolMeta.parse(JSON.parse(tool?.meta.a2c_tool_meta ?? ''))).toEqual(examples.ToolMeta[0]);
});
