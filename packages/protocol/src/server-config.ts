import type {
  BaseMCPServerConfig,
  MCPServerConfig,
  MCPServerOAuth,
  MCPServerStdioParameters,
  MCPServerStreamableHttpParameters,
  MCPSSEParameters,
} from './schemas/mcp-server.ts';

type Base = BaseMCPServerConfig & Required<Pick<BaseMCPServerConfig, 'disabled' | 'forbidden_tools' | 'tool_meta'>>;

/** A configuration with every default written out, as the documents define the structure. */
export type CompleteMCPServerConfig =
  | (Base & {
      type: 'stdio';
      envFile?: string | null | undefined;
      server_parameters: Required<MCPServerStdioParameters>;
    })
  | (Base & {
      type: 'streamable';
      oauth?: MCPServerOAuth | null | undefined;
      server_parameters: Required<MCPServerStreamableHttpParameters>;
    })
  | (Base & { type: 'sse'; oauth?: MCPServerOAuth | null | undefined; server_parameters: Required<MCPSSEParameters> });

/** Writes out the defaults of a configuration and calls its transport by the protocol's name. */
export function completeServerConfig(config: MCPServerConfig): CompleteMCPServerConfig {
  const { name, disabled = false, forbidden_tools = [], tool_meta = {}, ...rest } = config;
  const { default_tool_meta = null, vrl = null, ...more } = rest;
  const base = { name, disabled, forbidden_tools, tool_meta, default_tool_meta, vrl };
  switch (more.type) {
    case 'stdio':
      return { ...base, ...more, server_parameters: stdio(more.server_parameters) };
    case 'sse':
      return { ...base, ...more, server_parameters: sse(more.server_parameters) };
    default:
      return { ...base, ...more, type: 'streamable', server_parameters: streamable(more.server_parameters) };
  }
}

function stdio(parameters: MCPServerStdioParameters): Required<MCPServerStdioParameters> {
  const { command, ...rest } = parameters;
  return {
    command,
    args: [],
    env: null,
    cwd: null,
    encoding: 'utf-8',
    encoding_error_handler: 'strict',
    ...given(rest),
  };
}

function sse(parameters: MCPSSEParameters): Required<MCPSSEParameters> {
  const { url, ...rest } = parameters;
  return { url, headers: null, timeout: 5, sse_read_timeout: 300, ...given(rest) };
}

function streamable(parameters: MCPServerStreamableHttpParameters): Required<MCPServerStreamableHttpParameters> {
  const { url, ...rest } = parameters;
  return { url, headers: null, timeout: 'PT30S', sse_read_timeout: 'PT5M', terminate_on_close: true, ...given(rest) };
}

/** A spread of fields that are undefined would replace the defaults. */
function given<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
