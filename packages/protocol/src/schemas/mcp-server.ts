import * as z from 'zod';
import { ToolMeta } from './tools.ts';

/** What the configurations of all transports share. Fields the documents call required have defaults on input. */
export const BaseMCPServerConfig = z.looseObject({
  name: z.string().min(1),
  /** A disabled server is never started. @default false */
  disabled: z.boolean().optional(),
  /** Tools that are neither listed nor callable, by original name or alias. @default [] */
  forbidden_tools: z.array(z.string()).optional(),
  /** By original tool name. @default {} */
  tool_meta: z.record(z.string(), ToolMeta).optional(),
  /** For whatever a tool's own entry leaves unset. */
  default_tool_meta: ToolMeta.nullish(),
  /** A VRL script that transforms tool results. */
  vrl: z.string().nullish(),
  /** Extension: the MCP eras to speak. `auto` probes for the 2026 one. @default 'legacy' */
  mcp_protocol: z.enum(['legacy', 'auto']).optional(),
  /** Extension: whether windows and documents count only with the `resources.subscribe` capability. @default true */
  require_subscribe: z.boolean().optional(),
});
export type BaseMCPServerConfig = z.infer<typeof BaseMCPServerConfig>;

export const MCPServerStdioParameters = z.looseObject({
  command: z.string().min(1),
  /** @default [] */
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).nullish(),
  cwd: z.string().nullish(),
  /** @default 'utf-8' */
  encoding: z.string().optional(),
  /** @default 'strict' */
  encoding_error_handler: z.enum(['strict', 'ignore', 'replace']).optional(),
});
export type MCPServerStdioParameters = z.infer<typeof MCPServerStdioParameters>;

export const MCPServerStdioConfig = BaseMCPServerConfig.extend({
  type: z.literal('stdio'),
  server_parameters: MCPServerStdioParameters,
});
export type MCPServerStdioConfig = z.infer<typeof MCPServerStdioConfig>;

export const MCPServerStreamableHttpParameters = z.looseObject({
  url: z.string().min(1),
  headers: z.record(z.string(), z.unknown()).nullish(),
  /** An ISO 8601 duration. @default 'PT30S' */
  timeout: z.string().optional(),
  /** An ISO 8601 duration. @default 'PT5M' */
  sse_read_timeout: z.string().optional(),
  /** @default true */
  terminate_on_close: z.boolean().optional(),
});
export type MCPServerStreamableHttpParameters = z.infer<typeof MCPServerStreamableHttpParameters>;

export const MCPServerStreamableHttpConfig = BaseMCPServerConfig.extend({
  /** `http` is what other tools call it; we understand it and write `streamable`. */
  type: z.literal(['streamable', 'http', 'Http', 'HTTP']),
  server_parameters: MCPServerStreamableHttpParameters,
});
export type MCPServerStreamableHttpConfig = z.infer<typeof MCPServerStreamableHttpConfig>;

export const MCPSSEParameters = z.looseObject({
  url: z.string().min(1),
  headers: z.record(z.string(), z.unknown()).nullish(),
  /** In seconds. @default 5 */
  timeout: z.number().positive().optional(),
  /** In seconds. @default 300 */
  sse_read_timeout: z.number().positive().optional(),
});
export type MCPSSEParameters = z.infer<typeof MCPSSEParameters>;

export const MCPSSEConfig = BaseMCPServerConfig.extend({
  type: z.literal('sse'),
  server_parameters: MCPSSEParameters,
});
export type MCPSSEConfig = z.infer<typeof MCPSSEConfig>;

export const MCPServerConfig = z.discriminatedUnion('type', [
  MCPServerStdioConfig,
  MCPServerStreamableHttpConfig,
  MCPSSEConfig,
]);
export type MCPServerConfig = z.infer<typeof MCPServerConfig>;
