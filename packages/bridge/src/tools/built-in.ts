import type { Json } from '@a2c-smcp/core';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';

/** A tool of the bridge itself. Clients that know tools only reach the whole office by these. */
export interface BuiltInTool {
  definition: Tool;
  run(args: Json, signal: AbortSignal): Promise<CallToolResult>;
}

interface Described {
  name: string;
  title: string;
  description: string;
  properties: NonNullable<Tool['inputSchema']['properties']>;
  required?: string[];
}

/** The definition of a built-in tool: read-only, and never deferred by clients that load tools on demand. */
export function builtInDefinition({ name, title, description, properties, required }: Described): Tool {
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object', properties, ...(required && { required }), additionalProperties: false },
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    _meta: { 'anthropic/alwaysLoad': true },
  };
}
