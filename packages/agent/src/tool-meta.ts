import { type SMCPTool, ToolMeta } from '@a2c-smcp/protocol';

/** What the owner of the Computer configured for a tool (alias, tags, …), which travels as JSON text in `meta`. */
export function toolMetaOf({ meta }: SMCPTool): ToolMeta {
  const parsed = ToolMeta.safeParse(readJson(meta?.a2c_tool_meta));
  return parsed.success ? parsed.data : {};
}

/** The MCP annotations of a tool (`readOnlyHint`, `destructiveHint`, …), if it has any. Hints of the tool's author. */
export function annotationsOf({ meta }: SMCPTool): Record<string, unknown> {
  const annotations = readJson(meta?.MCP_TOOL_ANNOTATION);
  return typeof annotations === 'object' && annotations !== null ? { ...annotations } : {};
}

function readJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
