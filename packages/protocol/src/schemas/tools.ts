import * as z from 'zod/mini';
import { MAX_TIMEOUT_S } from '../times.ts';
import { ComputerCallData } from './call.ts';
import type { ResourceContents } from './resources.ts';

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

/** An object with any fields. `z.record` takes four times as long, because it checks the name of each. */
const JsonObject = z.looseObject({});

/** The name of a tool. */
export const TOOL_NAME = z.string();
export type TOOL_NAME = z.infer<typeof TOOL_NAME>;

/** Runs one tool on one Computer. `timeout` is in seconds: the wire speaks seconds, our API milliseconds. */
export const ToolCallReq = z.extend(ComputerCallData, {
  tool_name: z.string(),
  params: JsonObject,
  timeout: z.int().check(z.minimum(1), z.maximum(MAX_TIMEOUT_S)),
  /** Extension: the Agent wants `notify:update_progress` while the tool runs. */
  progress: z.optional(z.boolean()),
  /** Extension: the Agent answers forms of MCP servers while the tool runs, see `notify:ask_question`. */
  elicit: z.optional(z.boolean()),
});
export type ToolCallReq = z.infer<typeof ToolCallReq>;

/** Extension: how far the tool call `req_id` on a Computer is. The fields are those of MCP. */
export const ToolProgress = z.looseObject({
  computer: z.string(),
  req_id: z.string(),
  /** Grows from one notification of a call to the next. */
  progress: z.number(),
  total: z.optional(z.number()),
  message: z.optional(z.string()),
});
export type ToolProgress = z.infer<typeof ToolProgress>;

/** A block of a result. Fields of other types are undefined, so that `block.text` needs no look at the type first. */
type Content<Type extends string, Own> = { type: Type; annotations?: unknown; _meta?: unknown } & Own & {
    [Field in Exclude<'text' | 'data' | 'mimeType' | 'resource' | 'uri' | 'name', keyof Own>]?: undefined;
  };

export type TextContent = Content<'text', { text: string }>;
/** `data` is base64. */
export type ImageContent = Content<'image', { data: string; mimeType: string }>;
/** `data` is base64. */
export type AudioContent = Content<'audio', { data: string; mimeType: string }>;
export type EmbeddedResource = Content<'resource', { resource: ResourceContents }>;
export type ResourceLink = Content<'resource_link', { uri: string; name: string; mimeType?: string }>;
/** A block of a type that MCP may add one day. */
export type UnknownContent = Content<string, object> & Record<string, unknown>;

/** One block of a tool's result, as MCP has it. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink | UnknownContent;

/** Only the type of a block is checked; its fields are the promise of the MCP server. */
export const AnyContent = z.looseObject({ type: z.string() }) as unknown as z.ZodMiniType<ContentBlock, ContentBlock>;

/** An MCP result, passed on unchanged. */
export const CallToolResult = z.looseObject({
  content: z.array(AnyContent),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
  /** Result-level metadata. It is `meta` on the wire, although MCP has `_meta`. */
  meta: z.nullish(JsonObject),
});
export type CallToolResult = z.infer<typeof CallToolResult>;

/** A tool as an Agent sees it. `name` is the alias where there is one. */
export const SMCPTool = z.looseObject({
  name: z.string(),
  description: z.string(),
  params_schema: JsonObject,
  return_schema: z.nullable(JsonObject),
  meta: z.nullish(Attributes),
  /** The `bundle_id` of its MCP server, from protocol 0.3 on. */
  bundle_id: z.optional(z.string()),
});
export type SMCPTool = z.infer<typeof SMCPTool>;

/**
 * The tool that a name means: the one that is listed under it, else the only one whose name is the same but for the
 * `bundle_id` of its MCP server, which precedes names from protocol 0.3 on.
 */
export function findTool(tools: readonly SMCPTool[], name: string): SMCPTool | undefined {
  const listed = tools.find(tool => tool.name === name);
  if (listed) return listed;
  const [found, ...others] = toolsCalled(tools, name);
  return others.length === 0 ? found : undefined;
}

/** The tools whose names differ from this one by a `bundle_id` only. */
export function toolsCalled(tools: readonly SMCPTool[], name: string): SMCPTool[] {
  return tools.filter(({ name: listed, bundle_id }) => {
    if (bundle_id === undefined) return false;
    return listed === `${bundle_id}__${name}` || name === `${bundle_id}__${listed}`;
  });
}

/** Settings of a tool by the owner of the Computer. Unknown fields are passed on. */
export const ToolMeta = z.looseObject({
  /** Only `true` lets the tool run without a confirmation. */
  auto_apply: z.nullish(z.boolean()),
  /** The name under which the Agent sees and calls the tool. */
  alias: z.nullish(z.string()),
  tags: z.nullish(z.array(z.string())),
  ret_object_mapper: z.nullish(z.record(z.string(), z.unknown())),
});
export type ToolMeta = z.infer<typeof ToolMeta>;

export const GetToolsReq = z.extend(ComputerCallData, {
  /** Extension: names without the `bundle_id` that precedes them from 0.3 on. */
  plain_names: z.nullish(z.boolean()),
});
export type GetToolsReq = z.infer<typeof GetToolsReq>;

export const GetToolsRet = z.looseObject({
  tools: z.array(SMCPTool),
  req_id: z.string(),
});
export type GetToolsRet = z.infer<typeof GetToolsRet>;
