import { basename, resolve } from 'node:path';
import { fieldsOf, isObject, type Json } from '@a2c-smcp/core';
import { BaseMCPServerConfig, ConfigError, closest, firstProblem } from '@a2c-smcp/protocol';
import * as z from 'zod';
import { toOwnOAuth } from './oauth-spellings.ts';

const Names = z.array(z.string()).optional();

/** An MCP server as VS Code, Claude Desktop, Cursor and their kin write it down. */
const ForeignServer = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  oauth: z.looseObject({}).nullish(),
  envFile: z.string().nullish(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  autoApprove: Names,
  alwaysAllow: Names,
  disabledTools: Names,
  excludeTools: Names,
  forbidden_tools: Names,
  tool_meta: z.record(z.string(), z.looseObject({})).optional(),
  default_tool_meta: z.looseObject({}).nullish(),
});
type ForeignServer = z.infer<typeof ForeignServer>;

/** Fields of our own that every entry may have. */
const OWN_FIELDS = Object.keys(BaseMCPServerConfig.shape).filter(field => field !== 'name');
const KNOWN_FIELDS = [...Object.keys(ForeignServer.shape), ...OWN_FIELDS];
/** Fields that describe a server and change nothing. */
const DESCRIPTIVE_FIELDS = ['name', 'title', 'description', 'icon', 'version', 'gallery', 'dev'];

/** Fields of other programs that look like misspelled ones. */
const FOREIGN_FIELDS = ['includeTools', 'tags', 'server'];

/** The values of placeholders that only the files of other programs have. */
export interface Places {
  /** The folder of the project, where its MCP servers start. */
  workspaceFolder: string;
}

export interface OwnFormat {
  data: unknown;
  /** The name that the file has for `servers`. */
  key: 'servers' | 'mcpServers';
  /** The paths of fields that other programs may know and that have no effect here. */
  ignored: string[];
}

/**
 * The contents of a configuration file in our own form, whatever program it was written for. Entries that are ours
 * already are left as they are; `parseComputerConfig` judges them.
 */
export function toOwnFormat(data: unknown, places: Places): OwnFormat {
  if (!isObject(data)) throw new ConfigError('', 'expected an object with `servers` or `mcpServers`');
  if (isSettings(data)) {
    throw new ConfigError('', 'these are settings of the official command and no MCP servers: give its `mcp.json`');
  }
  if ('servers' in data && 'mcpServers' in data) {
    throw new ConfigError('mcpServers', 'the file has `servers` too: put all MCP servers under one of them');
  }
  const key = 'mcpServers' in data ? 'mcpServers' : 'servers';
  const servers = data[key];
  if (!isObject(servers)) throw new ConfigError(key, 'expected an object with one entry per MCP server');
  const ignored: string[] = [];
  const converted = Object.entries(servers).map(([name, server]) => {
    const isOwn = isObject(server) && 'server_parameters' in server;
    const path = `${key}.${name}`;
    const own = isOwn ? ownServer(server) : convert(server, path, places);
    if (!isOwn) ignored.push(...unknownFields(fieldsOf(server), path));
    return [name, isSwitchedOff(name, data) ? { ...own, disabled: true } : own];
  });
  const { inputs, $schema } = data;
  const rest = key === 'servers' ? withoutForeign(data) : {};
  const own = {
    ...rest,
    ...($schema === undefined ? {} : { $schema }),
    ...(inputs === undefined ? {} : { inputs: isOurs(servers) ? inputs : describeInputs(inputs) }),
    servers: Object.fromEntries(converted),
  };
  return { data: own, key, ignored };
}

/** Paths of fields that have no effect. Throws when one looks like a misspelled field that would have. */
function unknownFields(server: Json, path: string): string[] {
  const harmless = [...KNOWN_FIELDS, ...DESCRIPTIVE_FIELDS];
  // Names such as `_comment` and `//` are remarks.
  const unknown = Object.keys(server).filter(field => /^[a-z]/i.test(field) && !harmless.includes(field));
  return unknown.map(field => {
    const meant = FOREIGN_FIELDS.includes(field) ? undefined : closest(field, KNOWN_FIELDS);
    if (meant !== undefined) throw new ConfigError(`${path}.${field}`, `unknown field; did you mean '${meant}'?`);
    return `${path}.${field}`;
  });
}

function isOurs(servers: Json): boolean {
  return Object.values(servers).every(server => isObject(server) && 'server_parameters' in server);
}

/** Fields that other programs put beside the servers and that mean nothing here. */
function withoutForeign(data: Json): Json {
  const foreign = ['sandbox', ...SETTINGS];
  return Object.fromEntries(Object.entries(data).filter(([key]) => !foreign.includes(key)));
}

/** The settings that the official command reads from `settings.json`. Only the lists of refused servers count here. */
const SETTINGS = [
  ...['extraKnownMarketplaces', 'installedPlugins', 'enabledPlugins', 'strictKnownMarketplaces'],
  ...['trustedMarketplaces', 'blockedMarketplaces', 'enableAllProjectMcpServers', 'enabledMcpjsonServers'],
  ...['disabledMcpjsonServers', 'allowedMcpServers', 'deniedMcpServers', 'permissions', 'landingRoot'],
];

function isSettings(data: Json): boolean {
  return !('servers' in data) && !('mcpServers' in data) && SETTINGS.some(key => key in data);
}

/** True if settings beside the servers refuse one of them. */
function isSwitchedOff(name: string, { disabledMcpjsonServers, deniedMcpServers, allowedMcpServers }: Json): boolean {
  const lists = (list: unknown) => Array.isArray(list) && list.includes(name);
  const isForeign = Array.isArray(allowedMcpServers) && allowedMcpServers.length > 0 && !lists(allowedMcpServers);
  return isForeign || lists(disabledMcpjsonServers) || lists(deniedMcpServers);
}

/**
 * An entry in our own form, which is that of the official `mcp.json`. There the type may be missing, `envFile` may be
 * called `env_file`, and `oauth` has other fields.
 */
function ownServer({ oauth, env_file, ...server }: Json): Json {
  const { command, url } = fieldsOf(server.server_parameters);
  const type = typeof url === 'string' ? transportOf(undefined, url) : 'stdio';
  const isTyped = server.type !== undefined || (command === undefined && url === undefined);
  return {
    ...(isTyped ? {} : { type }),
    ...(env_file === undefined ? {} : { envFile: env_file }),
    ...server,
    ...(oauth === undefined ? {} : { oauth: toOwnOAuth(oauth) }),
  };
}

function convert(entry: unknown, path: string, places: Places): Json {
  const read = ForeignServer.safeParse(entry);
  if (!read.success) {
    const { path: field, text } = firstProblem(read.error);
    throw new ConfigError(field === '' ? path : `${path}.${field}`, text);
  }
  const server = expand(read.data, places);
  const base = { ...ownFields(server), disabled: server.disabled ?? server.enabled === false, ...toolRules(server) };
  if (server.command !== undefined) {
    const { command, args = [], cwd = places.workspaceFolder } = server;
    const env = Object.entries(server.env ?? {}).filter(([, value]) => value !== null);
    const texts = Object.fromEntries(env.map(([name, value]) => [name, String(value)]));
    const envFile = typeof server.envFile === 'string' ? { envFile: server.envFile } : {};
    const parameters = { command, args, cwd: inProject(cwd, places), env: texts };
    return { ...base, ...envFile, type: 'stdio', server_parameters: parameters };
  }
  const url = server.url ?? server.serverUrl ?? server.httpUrl;
  if (url === undefined) throw new ConfigError(path, 'expected `command` or `url`');
  const oauth = server.oauth ? { oauth: toOwnOAuth(server.oauth) } : {};
  const server_parameters = { url, headers: server.headers ?? null };
  return { ...base, ...oauth, type: transportOf(server.type, url), server_parameters };
}

/** A folder as the project sees it. A placeholder may stand for an absolute path. */
function inProject(folder: string, { workspaceFolder }: Places): string {
  return folder.startsWith('${') ? folder : resolve(workspaceFolder, folder);
}

function ownFields(server: Json): Json {
  return Object.fromEntries(OWN_FIELDS.filter(field => field in server).map(field => [field, server[field]]));
}

/** The lists of other programs and our own fields together; ours win. `*` approves every tool. */
function toolRules(server: ForeignServer): Json {
  const approved = [...(server.autoApprove ?? []), ...(server.alwaysAllow ?? [])];
  const lists = [server.forbidden_tools, server.disabledTools, server.excludeTools];
  const defaults = { ...(approved.includes('*') ? { auto_apply: true } : {}), ...server.default_tool_meta };
  const tool_meta: Json = { ...server.tool_meta };
  for (const tool of approved) if (tool !== '*') tool_meta[tool] = { auto_apply: true, ...server.tool_meta?.[tool] };
  return {
    tool_meta,
    ...(Object.keys(defaults).length > 0 ? { default_tool_meta: defaults } : {}),
    ...(lists.some(list => list !== undefined) ? { forbidden_tools: lists.flatMap(list => list ?? []) } : {}),
  };
}

/** Files without a type mean what the address suggests: servers of the old transport are found at `…/sse`. */
function transportOf(type: string | undefined, url: string): 'sse' | 'streamable' {
  if (type !== undefined) return type.toLowerCase() === 'sse' ? 'sse' : 'streamable';
  return /^[^?#]*\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'streamable';
}

function expand(server: ForeignServer, { workspaceFolder }: Places): ForeignServer {
  const values = { workspaceFolder, workspaceFolderBasename: basename(workspaceFolder) };
  const text = JSON.stringify(server, (_, value: unknown) =>
    typeof value !== 'string'
      ? value
      : Object.entries(values).reduce((filled, [name, place]) => filled.replaceAll(`\${${name}}`, () => place), value),
  );
  return JSON.parse(text);
}

/** Other programs let an input go without a description. */
function describeInputs(inputs: unknown): unknown {
  if (!Array.isArray(inputs)) return inputs;
  return inputs.map(input => (isObject(input) ? { description: String(input.id), ...ownInputFields(input) } : input));
}

const INPUT_FIELDS = ['id', 'description', 'type', 'default', 'password', 'options', 'command', 'args'];

function ownInputFields(input: Json): Json {
  return Object.fromEntries(Object.entries(input).filter(([key]) => INPUT_FIELDS.includes(key)));
}
