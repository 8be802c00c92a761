import { type Attributes, AttributeValue, type BaseMCPServerConfig, type ToolMeta } from '@a2c-smcp/protocol';
import type { McpTool } from '../mcp/mcp-schemas.ts';

/**
 * What the owner of the Computer says about a tool: its own entry, and the default for whatever that leaves unset.
 * Undefined when nothing is said.
 */
export function mergeToolMeta(config: BaseMCPServerConfig, tool: string): ToolMeta | undefined {
  const specific = Object.hasOwn(config.tool_meta ?? {}, tool) ? config.tool_meta?.[tool] : undefined;
  const general = config.default_tool_meta ?? undefined;
  if (!specific && !general) return undefined;
  const set = Object.entries(specific ?? {}).filter(([, value]) => value !== null && value !== undefined);
  // The documents show the four fields in this order, all of them present.
  const unset = { auto_apply: null, alias: null, tags: null, ret_object_mapper: null };
  return { ...unset, ...general, ...Object.fromEntries(set) };
}

/** A tool's metadata in the form of `SMCPTool.meta`: simple values as they are, everything else as JSON text. */
export function serializeMeta({ _meta, annotations }: McpTool, toolMeta: ToolMeta | undefined): Attributes {
  const own = Object.entries(_meta ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(own.map(([key, value]) => [key, asAttribute(value)])),
    ...(toolMeta ? { a2c_tool_meta: asJson(toolMeta) } : {}),
    ...(annotations ? { MCP_TOOL_ANNOTATION: asJson(annotations) } : {}),
  };
}

function asAttribute(value: unknown): AttributeValue {
  const simple = AttributeValue.safeParse(value);
  return simple.success ? simple.data : asJson(value);
}

/** JSON spaced as in the documents, which show it byte for byte. */
function asJson(value: unknown): string {
  // Line breaks inside strings are escaped, so those that are there come from the formatting.
  return JSON.stringify(value, null, 1)
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/,\n */g, ', ');
}
