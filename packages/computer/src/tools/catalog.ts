import { fieldsOf } from '@a2c-smcp/core';
import type { SMCPTool, ToolMeta } from '@a2c-smcp/protocol';
import type { IdentifiedConfig } from '../config/bundle-id.ts';
import type { Dialect } from '../dialect.ts';
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
  bundleId: string;
  /** The name the MCP server knows the tool by. */
  tool: string;
  meta?: ToolMeta;
  annotations?: Record<string, unknown>;
  /** The tool as its MCP server listed it. */
  definition: McpTool;
}

/** True if the definition of a tool differs from the one that was used before. */
type IsChanged = (route: Route) => boolean;

/** All tools of a Computer at one moment. */
export interface ToolTable {
  /** As an Agent sees them: servers in the order of the configuration, tools in the server's own. */
  tools: Readonly<Record<Dialect, readonly SMCPTool[]>>;
  /** By the names of both dialects. Where one name means two tools, the dialect decides. */
  routes: Readonly<Record<Dialect, ReadonlyMap<string, Route>>>;
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

/** The tool and the server of a call. */
export interface Target {
  route: Route;
  server: McpServer;
}

/** The tools of all MCP servers, collected anew after a change. */
export class ToolCatalog {
  readonly #servers: McpServers;
  readonly #warnings: Warnings;
  readonly #isChanged: IsChanged;
  #table: CallableTools | undefined;
  /** The list of the last `hasNews()`, as JSON. */
  #known = '[]';

  constructor(servers: McpServers, warnings: Warnings, isChanged: IsChanged = () => false) {
    this.#servers = servers;
    this.#warnings = warnings;
    this.#isChanged = isChanged;
    const invalidate = () => {
      this.#table = undefined;
    };
    servers.events.on('state', invalidate);
    servers.events.on('tools-changed', invalidate);
  }

  /** Compares the list with that of the last time. */
  hasNews(): boolean {
    const former = this.#known;
    this.#known = JSON.stringify(this.list('plain'));
    return this.#known !== former;
  }

  /** The tools as an Agent sees them. */
  list(dialect: Dialect): readonly SMCPTool[] {
    return this.table.tools[dialect];
  }

  /** Where a call goes; undefined if there is no such tool. */
  find({ tool, dialect = 'plain' }: { tool: string; dialect?: Dialect | undefined }): Target | undefined {
    const { routes, servers } = this.table;
    const route = routes[dialect].get(tool);
    const server = route && servers.get(route.server);
    return server && { route, server };
  }

  get table(): CallableTools {
    this.#table ??= this.#build();
    return this.#table;
  }

  #build(): CallableTools {
    const { all } = this.#servers;
    const table = buildCatalog(all, this.#isChanged);
    for (const { message, fields } of table.diagnostics) this.#warnings.warn(message, fields);
    return { ...table, servers: new Map(all.map(server => [server.name, server])) };
  }
}

/** Puts the tools of all servers into one list in which every name leads to exactly one tool. */
export function buildCatalog(sources: readonly CatalogSource[], isChanged: IsChanged = () => false): ToolTable {
  const tools = { plain: [] as SMCPTool[], bundled: [] as SMCPTool[] };
  const plain = new Map<string, Route>();
  const bundled = new Map<string, Route>();
  const blocked = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const plainNames = new UniqueNames(plain, MAX_NAME_LENGTH);
  const bundledNames = new UniqueNames(bundled);

  for (const { config, tools: listed } of sources) {
    const renamed = new Map<string, string[]>();
    const taskTools: string[] = [];
    if (config.default_tool_meta?.alias) diagnostics.push(defaultAlias(config.name));
    if (listed.some(misdeclaresMeta)) diagnostics.push(misdeclared(config.name));
    for (const tool of listed) {
      const meta = mergeToolMeta(config, tool);
      const wanted = meta?.alias || tool.name;
      if (config.disabled || forbids(config, tool.name, meta)) {
        for (const name of [wanted, tool.name]) {
          blocked.set(name, config.name).set(bundledName(config, name), config.name);
        }
        continue;
      }
      if (isTaskOnly(tool)) {
        taskTools.push(tool.name);
        continue;
      }
      const name = plainNames.make(wanted, acceptable(`${config.name}__${tool.name}`));
      const first = plain.get(wanted)?.server ?? '';
      if (name !== wanted) renamed.set(first, [...(renamed.get(first) ?? []), `${wanted} as ${name}`]);
      const longName = bundledNames.make(bundledName(config, wanted), bundledName(config, tool.name));
      const route = routeOf(config, tool, meta);
      plain.set(name, route);
      bundled.set(longName, route);
      const listed = exposed(name, tool, meta, config.bundle_id);
      if (isChanged(route)) listed.meta = { ...listed.meta, a2c_definition_changed: true };
      tools.plain.push(listed);
      tools.bundled.push({ ...listed, name: longName });
    }
    if (taskTools.length > 0) diagnostics.push(taskOnly(config.name, taskTools));
    for (const [first, names] of renamed) diagnostics.push(duplicates(config.name, first, names));
  }
  const routes = { plain: new Map([...bundled, ...plain]), bundled: new Map([...plain, ...bundled]) };
  return { tools, routes, blocked, diagnostics };
}

/** The name of a tool for Agents of protocol 0.3 and later. */
function bundledName({ bundle_id }: IdentifiedConfig, name: string): string {
  return `${bundle_id}__${name}`;
}

function forbids({ forbidden_tools }: IdentifiedConfig, name: string, meta: ToolMeta | undefined): boolean {
  return forbidden_tools.some(forbidden => forbidden === name || forbidden === meta?.alias);
}

function routeOf(config: IdentifiedConfig, definition: McpTool, meta: ToolMeta | undefined): Route {
  const { name, annotations } = definition;
  return {
    ...{ server: config.name, bundleId: config.bundle_id, tool: name, definition },
    ...(meta ? { meta } : {}),
    ...(annotations ? { annotations } : {}),
  };
}

function exposed(name: string, tool: McpTool, meta: ToolMeta | undefined, bundle_id: string): SMCPTool {
  return {
    name,
    description: tool.description ?? '',
    params_schema: tool.inputSchema ?? {},
    return_schema: tool.outputSchema ?? null,
    meta: serializeMeta(tool, meta),
    bundle_id,
    ...displayOf(tool),
  };
}

/** Characters of the icons of one tool, which may be images themselves. */
const MAX_ICONS_LENGTH = 16_384;

/** The title and the icons of a tool, for Agents that show them to people. */
function displayOf({ title, icons }: McpTool): { title?: string; icons?: unknown[] } {
  const areSmall = Array.isArray(icons) && JSON.stringify(icons).length <= MAX_ICONS_LENGTH;
  return { ...(typeof title === 'string' && { title }), ...(areSmall && { icons }) };
}

/** Models accept names of at most 64 letters, digits, `_` and `-`. */
const MAX_NAME_LENGTH = 64;

/** Replaces the characters that models refuse. */
function acceptable(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Names of which each is given once. */
class UniqueNames {
  readonly #taken: ReadonlyMap<string, unknown>;
  readonly #maxLength: number;
  /** By name, the count to try next: a server may list one name thousands of times. */
  readonly #counts = new Map<string, number>();

  /** @param maxLength of names that are made unique */
  constructor(taken: ReadonlyMap<string, unknown>, maxLength = Infinity) {
    this.#taken = taken;
    this.#maxLength = maxLength;
  }

  /** The name itself if it is free, else the other one, if need be with a number. */
  make(wanted: string, other: string): string {
    if (!this.#taken.has(wanted)) return wanted;
    const name = other.slice(0, this.#maxLength);
    for (let count = this.#counts.get(name) ?? 1; ; count++) {
      const suffix = count === 1 ? '' : `_${count}`;
      const free = name.slice(0, this.#maxLength - suffix.length) + suffix;
      if (this.#taken.has(free)) continue;
      this.#counts.set(name, count + 1);
      return free;
    }
  }
}

/** Names in one line of the log. */
const MAX_NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** One line for a pair of servers, which may have many names in common. */
function duplicates(server: string, first: string, names: readonly string[]): Diagnostic {
  const message = "Tools have the name of another and are renamed; set an 'alias' in tool_meta to choose their names";
  return { message, fields: { mcp_server: server, first, tools: listed(names) } };
}

function taskOnly(server: string, names: readonly string[]): Diagnostic {
  const message = 'Tools can be called as tasks only, which Agents cannot do, and are not offered';
  return { message, fields: { mcp_server: server, tools: listed(names) } };
}

/** MCP's tasks are polled for their results. */
function isTaskOnly({ execution }: McpTool): boolean {
  return fieldsOf(execution).taskSupport === 'required';
}

function defaultAlias(server: string): Diagnostic {
  const message = "default_tool_meta sets an 'alias', which is ignored: set it for one tool in tool_meta";
  return { message, fields: { mcp_server: server } };
}

function misdeclared(server: string): Diagnostic {
  const message = "An MCP server declares 'a2c_tool_meta' other than as a list of 'tags', which is ignored";
  return { message, fields: { mcp_server: server } };
}
