import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { GetDeskTopRet, SMCPTool, ToolMeta } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { openOffice, recordingLogger } from '../computer/office.ts';
import { publishing, warnings } from '../computer/publishing.ts';
import examples from './fixtures/examples.json' with { type: 'json' };
import { verifies } from './verifies.ts';

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

test.each(examples.GetDeskTopRet)(
  'an Agent gets the desktop $desktops of MCP servers with these windows',
  async example => {
    const windows = example.desktops.map(entry => entry.split('\n\n'));
    const servers = windows.map(([uri = '', text = '']): [string, MCPServerConfig] => {
      const name = new URL(uri).hostname;
      return [name, publishing({ resources: [{ uri, name }], contents: { [uri]: text } }, { name })];
    });
    await using office = await openOffice({ servers: Object.fromEntries(servers) });
    expect(await office.ask('client:get_desktop', { req_id: example.req_id })).toEqual(example);
  },
);

verifies(
  ['get-resources.page', 'window-meta.fullscreen'],
  async () => {
    const logger = recordingLogger();
    const servers = { browser: publishing({ resources: examples.Resource, body: 'Orders' }, { name: 'browser' }) };
    await using office = await openOffice({ servers, logger });
    const { resources } = await office.ask('client:get_resources', { mcp_server: 'browser' });
    expect(resources).toEqual(examples.Resource);
    const { desktops } = await office.ask('client:get_desktop');
    expect(desktops).toEqual(['window://com.example.browser/main\n\nOrders']);
    expect(warnings(logger)).toEqual([]);
  },
  'windows with all metadata are handed on as declared, without a warning',
);

test.each(examples.SMCPTool)('an Agent gets the tool $name of an MCP server that has it', async example => {
  const { name, description, params_schema: inputSchema, return_schema: outputSchema, meta } = example;
  const tool = {
    ...{ name, description, inputSchema },
    ...(outputSchema && { outputSchema }),
    ...(meta.MCP_TOOL_ANNOTATION && { annotations: JSON.parse(meta.MCP_TOOL_ANNOTATION) }),
  };
  // As an owner writes it, who leaves out fields that are null.
  const default_tool_meta = meta.a2c_tool_meta ? { tags: ['browser'], auto_apply: true } : null;
  const servers = { app: { ...publishing({ tools: [tool] }), default_tool_meta } };
  await using office = await openOffice({ servers });
  const { tools } = await office.ask('client:get_tools');
  // An extension of ours.
  expect(tools.find(each => each.name === name)).toEqual({ ...example, bundle_id: 'app' });
});
