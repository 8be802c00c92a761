import type { SMCPTool, ToolMeta } from '@a2c-smcp/protocol';
import type { IdentifiedConfig } from '../config/bundle-id.ts';
import type { McpTool } from '../mcp/session/schemas.ts';
import type { McpServer } from '../mcp/supervisor/mcp-server.ts';
import type { McpServers } from '../mcp/supervisor/mcp-servers.ts';
import type { Warnings } from '../warnings.ts';
import { mergeToolMeta, misdeclaresMeta, serializeMeta } from './tool-meta.ts';

/** One MCP server's part of the catalog. */
export interface CatalogSource {
  config: IdentifiedConfig;
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
export interface ToolTable {
  /** As an Agent sees them: servers in the order of the configuration, tools in the server's own. */
  tools: readonly SMCPTool[];
  routes: ReadonlyMap<string, Route>;
  /** Names that exist but may not be called, with their server. */
  blocked: ReadonlyMap<string, string>;
  /** Problems of the configuration, for the owner of the Computer. */
  diagnostics: readonly Diagnostic[];
}

export interface Diagnostic {
  /** Constant; together with the fields it is the cause. */
  message: string;
  fields: Record<string, string>;
}

/** A table of tools with the servers that its routes lead to, by name. */
export interface CallableTools extends ToolTable {
  servers: ReadonlyMap<string, McpServer>;
}

/** The tools of all MCP servers, collected anew after a change. */
export class ToolCatalog {
  readonly #servers: McpServers;
  readonly #warnings: Warnings;
  #table: CallableTools | undefined;

  constructor(servers: McpServers, warnings: Warnings) {
    this.#servers = servers;
    this.#warnings = warnings;
    const invalidate = () => {
      this.#table = undefined;
    };
    servers.events.on('state', invalidate);
    servers.events.on('tools-changed', invalidate);
  }

  /** The tools as an Agent sees them. */
  get list(): readonly SMCPTool[] {
    return this.table.tools;
  }

  get table(): CallableTools {
    this.#table ??= this.#build();
    return this.#table;
  }

  #build(): CallableTools {
    const { all } = this.#servers;
    const table = buildCatalog(all);
    for (const { message, fields } of table.diagnostics) this.#warnings.warn(message, fields);
    return { ...table, servers: new Map(all.map(server => [server.name, server])) };
  }
}

/** Puts the tools of all servers into one list in which every name leads to exactly one tool. */
export function buildCatalog(sources: readonly CatalogSource[]): ToolTable {
  const tools: SMCPTool[] = [];
  const routes = new Map<string, Route>();
  const blocked = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const names = new UniqueNames(routes);

  for (const { config, tools: listed } of sources) {
    if (config.default_tool_meta?.alias) diagnostics.push(defaultAlias(config.name));
    if (listed.some(misdeclaresMeta)) diagnostics.push(misdeclared(config.name));
    for (const tool of listed) {
      const meta = mergeToolMeta(config, tool);
      const wanted = meta?.alias || tool.name;
      if (config.disabled || forbids(config, tool.name, meta)) {
        blocked.set(wanted, config.name).set(tool.name, config.name);
        continue;
      }
      const name = routes.has(wanted) ? names.make(config.name, tool.name) : wanted;
      if (name !== wanted)
        diagnostics.push(duplicate(wanted, name, { config, first: routes.get(wanted)?.server ?? '' }));
      const { annotations } = tool;
      routes.set(name, {
        server: config.name,
        tool: tool.name,
        ...(meta ? { meta } : {}),
        ...(annotations ? { annotations } : {}),
      });
      tools.push({ ...exposed(name, tool, meta), bundle_id: config.bundle_id });
    }
  }
  return { tools, routes, blocked, diagnostics };
}

function forbids({ forbidden_tools }: IdentifiedConfig, name: string, meta: ToolMeta | undefined): boolean {
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
const MAX_NAME_LENGTH = 64;

/** Names for tools whose own is taken. */
class UniqueNames {
  readonly #taken: ReadonlyMap<string, unknown>;
  /** By name, the count to try next: a server may list one name thousands of times. */
  readonly #counts = new Map<string, number>();

  constructor(taken: ReadonlyMap<string, unknown>) {
    this.#taken = taken;
  }

  make(server: string, tool: string): string {
    const name = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH);
    for (let count = this.#counts.get(name) ?? 1; ; count++) {
      const suffix = count === 1 ? '' : `_${count}`;
      const free = name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
      if (this.#taken.has(free)) continue;
      this.#counts.set(name, count + 1);
      return free;
    }
  }
}

function duplicate(
  tool: string,
  name: string,
  { config, first }: { config: IdentifiedConfig; first: string },
): Diagnostic {
  const message = "A tool has the name of another and is renamed; set an 'alias' in its tool_meta to choose a name";
  return { message, fields: { mcp_server: config.name, tool, name, first } };
}

function defaultAlias(server: string): Diagnostic {
  const message = "default_tool_meta sets an 'alias', which gives every tool of the MCP server the same name";
  return { message, fields: { mcp_server: server } };
}

function misdeclared(server: string): Diagnostic {
  const message = "An MCP server declares 'a2c_tool_meta' other than as a list of 'tags', which is ignored";
  return { message, fields: { mcp_server: server } };
}
