import type { CompleteMCPServerConfig, SMCPTool, ToolMeta } from '@a2c-smcp/protocol';
import type { McpTool } from '../mcp/mcp-schemas.ts';
import { bundleId } from './bundle-id.ts';
import { mergeToolMeta, serializeMeta } from './tool-meta.ts';

/** One MCP server's part of the catalog. */
export interface CatalogSource {
  config: CompleteMCPServerConfig;
  tools: readonly McpTool[];
}

/** Where a call of an exposed name goes. */
export interface Route {
  server: string;
  /** The name the MCP server knows the tool by. */
  tool: string;
  meta?: ToolMeta;
  annotations?: Record<string, unknown>;
}

/** All tools of a Computer at one moment. */
export interface Catalog {
  /** As an Agent sees them: servers in the order of the configuration, tools in the server's own. */
  tools: readonly SMCPTool[];
  routes: ReadonlyMap<string, Route>;
  /** Names that exist but may not be called, with their server. */
  blocked: ReadonlyMap<string, string>;
  /** Sentences for the owner of the Computer about what could not be done as configured. */
  diagnostics: readonly string[];
}

/** Puts the tools of all servers into one list in which every name leads to exactly one tool. */
export function buildCatalog(sources: readonly CatalogSource[]): Catalog {
  const tools: SMCPTool[] = [];
  const routes = new Map<string, Route>();
  const blocked = new Map<string, string>();
  const diagnostics: string[] = [];

  for (const { config, tools: listed } of sources) {
    if (config.default_tool_meta?.alias) diagnostics.push(defaultAlias(config.name));
    for (const tool of listed) {
      const meta = mergeToolMeta(config, tool.name);
      const wanted = meta?.alias || tool.name;
      if (config.disabled || forbids(config, tool.name, meta)) {
        blocked.set(wanted, config.name).set(tool.name, config.name);
        continue;
      }
      const name = routes.has(wanted) ? uniqueName(config.name, tool.name, routes) : wanted;
      if (name !== wanted) diagnostics.push(duplicate(wanted, name, { config, first: routes.get(wanted)?.server }));
      const { annotations } = tool;
      routes.set(name, {
        server: config.name,
        tool: tool.name,
        ...(meta ? { meta } : {}),
        ...(annotations ? { annotations } : {}),
      });
      tools.push({ ...exposed(name, tool, meta), bundle_id: bundleId(config) });
    }
  }
  return { tools, routes, blocked, diagnostics };
}

function forbids({ forbidden_tools }: CompleteMCPServerConfig, name: string, meta: ToolMeta | undefined): boolean {
  return forbidden_tools.some(forbidden => forbidden === name || forbidden === meta?.alias);
}

function exposed(name: string, tool: McpTool, meta: ToolMeta | undefined): SMCPTool {
  return {
    name,
    description: tool.description ?? '',
    params_schema: tool.inputSchema ?? {},
    return_schema: tool.outputSchema ?? null,
    meta: serializeMeta(tool, meta),
  };
}

/** Models accept names of at most 64 letters, digits, `_` and `-`. */
const LONGEST = 64;

function uniqueName(server: string, tool: string, taken: ReadonlyMap<string, unknown>): string {
  const name = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST);
  for (let count = 2, free = name; ; count++) {
    if (!taken.has(free)) return free;
    const suffix = `_${count}`;
    free = name.slice(0, LONGEST - suffix.length) + suffix;
  }
}

function duplicate(
  wanted: string,
  given: string,
  { config, first }: { config: CompleteMCPServerConfig; first: string | undefined },
): string {
  return (
    `MCP servers '${first}' and '${config.name}' both have a tool '${wanted}': the second is called '${given}'; ` +
    `give it an 'alias' in the tool_meta of '${config.name}' to choose another name`
  );
}

function defaultAlias(server: string): string {
  return `default_tool_meta of MCP server '${server}' sets an 'alias', which gives every tool the same name`;
}
