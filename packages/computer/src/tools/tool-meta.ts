import { type Attributes, AttributeValue, type BaseMCPServerConfig, type ToolMeta } from '@a2c-smcp/protocol';
import { ownMeta } from '../claims.ts';
import type { McpTool } from '../mcp/session/schemas.ts';

/**
 * Metadata of a tool as the owner of the Computer set it: its own entry, and the default, without an alias, for
 * whatever that leaves unset. Of the MCP server only `tags` count, and only where the owner set none. Undefined when nothing is set.
 */
export function mergeToolMeta(config: BaseMCPServerConfig, { name, _meta }: McpTool): ToolMeta | undefined {
  const specific = Object.hasOwn(config.tool_meta ?? {}, name) ? config.tool_meta?.[name] : undefined;
  // One alias for all tools would make them collide.
  const general = config.default_tool_meta ? { ...config.default_tool_meta, alias: null } : undefined;
  const declared = declaredTags(_meta);
  if (!specific && !general && !declared) return undefined;
  const set = Object.entries(specific ?? {}).filter(([, value]) => value !== null && value !== undefined);
  // The documents show the four fields in this order, all of them present.
  const unset = { auto_apply: null, alias: null, tags: null, ret_object_mapper: null };
  const merged: ToolMeta = { ...unset, ...general, ...Object.fromEntries(set) };
  return { ...merged, tags: merged.tags ?? declared ?? null };
}

/** True if an MCP server declares metadata in another form than a list of tags. */
export function misdeclaresMeta({ _meta }: McpTool): boolean {
  return _meta?.a2c_tool_meta !== undefined && declaredTags(_meta) === undefined;
}

function declaredTags(meta: McpTool['_meta']): string[] | undefined {
  const { tags } = Object(meta?.a2c_tool_meta) as { tags?: unknown };
  return Array.isArray(tags) && tags.every(tag => typeof tag === 'string') ? tags : undefined;
}

/** A tool's metadata in the form of `SMCPTool.meta`: simple values as they are, everything else as JSON text. */
export function serializeMeta({ _meta, annotations }: McpTool, toolMeta: ToolMeta | undefined): Attributes {
  const own = Object.entries(ownMeta(_meta)).filter(([, value]) => value !== undefined);
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
