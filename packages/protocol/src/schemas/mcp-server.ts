import * as z from 'zod/mini';
import { ToolMeta } from './tools.ts';

/** The name of an MCP server. */
export const SERVER_NAME = z.string();
export type SERVER_NAME = z.infer<typeof SERVER_NAME>;

/** A tool or a resource of an MCP server that its Computer shows as a window. */
export const AdoptedWindow = z.looseObject({
  /** The tool whose result is the text, by its original name. It must be `auto_apply` or read-only. */
  tool: z.optional(z.string().check(z.minLength(1))),
  /** The parameters of the tool. @default {} */
  arguments: z.optional(z.record(z.string(), z.unknown())),
  /** The URI of the resource whose text is shown, instead of a tool. */
  resource: z.optional(z.string().check(z.minLength(1))),
  /** How often it is refreshed besides, as in `10s`, `5m` or `1h`. @default only after calls and updates */
  every: z.optional(z.string().check(z.regex(/^\d+(\.\d+)?(s|m|h)$/, "must be like '10s', '5m' or '1h'"))),
  /** @default the name of the window */
  title: z.optional(z.string()),
  /** From 0 to 1. @default 0.5 */
  priority: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  /** Hides the other windows of the MCP server. @default false */
  fullscreen: z.optional(z.boolean()),
  /** A VRL script that changes `.text`. */
  vrl: z.optional(z.string()),
});
export type AdoptedWindow = z.infer<typeof AdoptedWindow>;

/** Days, hours, minutes and seconds. */
const DURATION = /^P(?=\d|T\d)(\d+(\.\d+)?D)?(T(?=\d)(\d+(\.\d+)?H)?(\d+(\.\d+)?M)?(\d+(\.\d+)?S)?)?$/;

/** The fields of all transports. Fields that the documents call required have defaults on input. */
export const BaseMCPServerConfig = z.looseObject({
  name: z.string().check(z.minLength(1)),
  /**
   * Identifies the server from protocol 0.3 on: letters, digits, `_` and `-`, no `__`. Unique on its Computer.
   * @default derived from the name
   */
  bundle_id: z.nullish(z.string()),
  /** A disabled server is never started. @default false */
  disabled: z.optional(z.boolean()),
  /** Tools that are neither listed nor callable, by original name or alias. @default [] */
  forbidden_tools: z.optional(z.array(z.string())),
  /** By original tool name. @default {} */
  tool_meta: z.optional(z.record(z.string(), ToolMeta)),
  /** Applies to fields that a tool's own entry leaves unset. */
  default_tool_meta: z.nullish(ToolMeta),
  /** A VRL script that transforms tool results. */
  vrl: z.nullish(z.string()),
  /** Extension: the MCP eras to speak. `auto` probes for the 2026 one. @default 'legacy' */
  mcp_protocol: z.optional(z.enum(['legacy', 'auto'])),
  /** Extension: whether windows and documents count only with the `resources.subscribe` capability. @default true */
  require_subscribe: z.optional(z.boolean()),
  /** Extension: `lazy` lists what the last session listed, and starts the server with the first call. @default 'eager' */
  start: z.optional(z.enum(['eager', 'lazy'])),
  /** Extension: how long a lazy server may be unused before it is stopped, an ISO 8601 duration. @default 'PT10M' */
  idle: z.optional(z.string().check(z.regex(DURATION, "must be an ISO 8601 duration such as 'PT10M'"))),
  /** Extension: folders that `roots/list` returns to the server, absolute or from `~/` on. @default [] */
  roots: z.optional(z.array(z.string().check(z.minLength(1)))),
  /** Extension: tools and resources that are shown as windows, by name. Agents do not see this field. @default {} */
  windows: z.optional(z.record(z.string().check(z.minLength(1)), AdoptedWindow)),
  /**
   * Extension: URIs of resources that are shown as documents, in which `*` stands for any characters. Agents do not see this
   * field. @default []
   */
  documents: z.optional(z.array(z.string().check(z.minLength(1)))),
});
export type BaseMCPServerConfig = z.infer<typeof BaseMCPServerConfig>;

export const MCPServerStdioParameters = z.looseObject({
  command: z.string().check(z.minLength(1)),
  /** @default [] */
  args: z.optional(z.array(z.string())),
  env: z.nullish(z.record(z.string(), z.string())),
  cwd: z.nullish(z.string()),
  /** @default 'utf-8' */
  encoding: z.optional(z.string()),
  /** @default 'strict' */
  encoding_error_handler: z.optional(z.enum(['strict', 'ignore', 'replace'])),
});
export type MCPServerStdioParameters = z.infer<typeof MCPServerStdioParameters>;

export const MCPServerStdioConfig = z.extend(BaseMCPServerConfig, {
  type: z.literal('stdio'),
  /** A file of `NAME=value` lines for the environment; `env` wins. Relative to `cwd`. */
  envFile: z.nullish(z.string()),
  server_parameters: MCPServerStdioParameters,
});
export type MCPServerStdioConfig = z.infer<typeof MCPServerStdioConfig>;

/**
 * Extension: how a Computer signs in to an MCP server that wants OAuth. Without it, it does so in the way that the server
 * and its authorization server offer. Agents never see it.
 */
export const MCPServerOAuth = z.looseObject({
  /** `client_credentials` needs no person. @default 'authorization_code' */
  grant: z.optional(z.enum(['authorization_code', 'client_credentials'])),
  /** A client that is registered already. @default the Computer registers itself */
  client_id: z.optional(z.string().check(z.minLength(1))),
  client_secret: z.optional(z.string().check(z.minLength(1))),
  /** A PKCS #8 key in PEM: the client authenticates by signed statements instead of a secret. */
  private_key: z.optional(z.string().check(z.minLength(1))),
  /** The algorithm of the key. @default 'RS256' */
  algorithm: z.optional(z.string().check(z.minLength(1))),
  /** An https URL whose document describes the client, for authorization servers that read such. */
  client_metadata_url: z.optional(z.string().check(z.minLength(1))),
  /** @default those that the MCP server asks for */
  scopes: z.optional(z.array(z.string().check(z.minLength(1)))),
  /** The port of `http://127.0.0.1:PORT/callback`, where the browser returns to. @default any, then always the same */
  callback_port: z.optional(z.int().check(z.positive(), z.maximum(65535))),
  /** Where the browser returns to, if it is another address of this machine than that of `callback_port`. */
  redirect_uri: z.optional(z.string().check(z.minLength(1))),
  /** The only authorization server that gets credentials. @default the one that the MCP server names */
  issuer: z.optional(z.string().check(z.minLength(1))),
  /** The metadata of the authorization server, if they are at an unusual place. */
  metadata_url: z.optional(z.string().check(z.minLength(1))),
});
export type MCPServerOAuth = z.infer<typeof MCPServerOAuth>;

export const MCPServerStreamableHttpParameters = z.looseObject({
  url: z.string().check(z.minLength(1)),
  headers: z.nullish(z.record(z.string(), z.unknown())),
  /** An ISO 8601 duration. @default 'PT30S' */
  timeout: z.optional(z.string()),
  /** An ISO 8601 duration. @default 'PT5M' */
  sse_read_timeout: z.optional(z.string()),
  /** @default true */
  terminate_on_close: z.optional(z.boolean()),
});
export type MCPServerStreamableHttpParameters = z.infer<typeof MCPServerStreamableHttpParameters>;

export const MCPServerStreamableHttpConfig = z.extend(BaseMCPServerConfig, {
  /** `http` is the name in other programs; it is read as `streamable`. */
  type: z.literal(['streamable', 'http', 'Http', 'HTTP']),
  oauth: z.nullish(MCPServerOAuth),
  server_parameters: MCPServerStreamableHttpParameters,
});
export type MCPServerStreamableHttpConfig = z.infer<typeof MCPServerStreamableHttpConfig>;

export const MCPSSEParameters = z.looseObject({
  url: z.string().check(z.minLength(1)),
  headers: z.nullish(z.record(z.string(), z.unknown())),
  /** In seconds. @default 5 */
  timeout: z.optional(z.number().check(z.positive())),
  /** In seconds. @default 300 */
  sse_read_timeout: z.optional(z.number().check(z.positive())),
});
export type MCPSSEParameters = z.infer<typeof MCPSSEParameters>;

export const MCPSSEConfig = z.extend(BaseMCPServerConfig, {
  type: z.literal('sse'),
  oauth: z.nullish(MCPServerOAuth),
  server_parameters: MCPSSEParameters,
});
export type MCPSSEConfig = z.infer<typeof MCPSSEConfig>;

export const MCPServerConfig = z.discriminatedUnion('type', [
  MCPServerStdioConfig,
  MCPServerStreamableHttpConfig,
  MCPSSEConfig,
]);
export type MCPServerConfig = z.infer<typeof MCPServerConfig>;
