import * as z from 'zod/mini';
import { MAX_TIMEOUT_S } from '../times.ts';
import { ComputerCallData } from './call.ts';

/** A value simple enough for `SMCPTool.meta`. Anything else travels as a JSON string. */
export const AttributeValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string()),
  z.array(z.number()),
  z.array(z.boolean()),
]);
export type AttributeValue = z.infer<typeof AttributeValue>;

/** A tool's metadata. `a2c_tool_meta` and `MCP_TOOL_ANNOTATION` are ours, other keys the MCP server's. */
export const Attributes = z.record(z.string(), AttributeValue);
export type Attributes = z.infer<typeof Attributes>;

/** Runs one tool on one Computer. `timeout` is in seconds: the wire speaks seconds, our API milliseconds. */
export const ToolCallReq = z.extend(ComputerCallData, {
  tool_name: z.string(),
  params: z.record(z.string(), z.unknown()),
  timeout: z.int().check(z.minimum(1), z.maximum(MAX_TIMEOUT_S)),
});
export type ToolCallReq = z.infer<typeof ToolCallReq>;

/** The MCP result, carried as is: we check that it is one and leave its contents to MCP. */
export const CallToolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
  /** Result-level metadata. The wire says `meta` here, although MCP says `_meta`. */
  meta: z.nullish(z.record(z.string(), z.unknown())),
});
export type CallToolResult = z.infer<typeof CallToolResult>;

/** A tool as an Agent sees it. `name` is the alias where there is one. */
export const SMCPTool = z.looseObject({
  name: z.string(),
  description: z.string(),
  params_schema: z.record(z.string(), z.unknown()),
  return_schema: z.nullable(z.record(z.string(), z.unknown())),
  meta: z.nullish(Attributes),
});
export type SMCPTool = z.infer<typeof SMCPTool>;

/** What the owner of a Computer says about a tool. Unknown fields are kept and passed on. */
export const ToolMeta = z.looseObject({
  /** Only `true` lets the tool run without asking a person. */
  auto_apply: z.nullish(z.boolean()),
  /** The name under which the Agent sees and calls the tool. */
  alias: z.nullish(z.string()),
  tags: z.nullish(z.array(z.string())),
  ret_object_mapper: z.nullish(z.record(z.string(), z.unknown())),
});
export type ToolMeta = z.infer<typeof ToolMeta>;

export const GetToolsReq = ComputerCallData.clone();
export type GetToolsReq = z.infer<typeof GetToolsReq>;

export const GetToolsRet = z.looseObject({
  tools: z.array(SMCPTool),
  req_id: z.string(),
});
export type GetToolsRet = z.infer<typeof GetToolsRet>;
