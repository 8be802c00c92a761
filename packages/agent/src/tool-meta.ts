import { fieldsOf, readJson } from '@a2c-smcp/core';
import { type SMCPTool, ToolMeta } from '@a2c-smcp/protocol';

/** The settings of a tool by the owner of the Computer (alias, tags, …), which are JSON text in `meta`. */
export function toolMetaOf({ meta }: SMCPTool): ToolMeta {
  const parsed = ToolMeta.safeParse(readJson(String(meta?.a2c_tool_meta)));
  return parsed.success ? parsed.data : {};
}

/** The MCP annotations of a tool (`readOnlyHint`, `destructiveHint`, …): hints of the tool's author. */
export function annotationsOf({ meta }: SMCPTool): Record<string, unknown> {
  return fieldsOf(readJson(String(meta?.MCP_TOOL_ANNOTATION)));
}
