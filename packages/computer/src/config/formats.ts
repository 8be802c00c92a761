import { fieldsOf, isObject, type Json } from '@a2c-smcp/core';
import { ConfigError, firstProblem } from '@a2c-smcp/protocol';
import * as z from 'zod';

/** An MCP server as VS Code, Claude Desktop, Cursor and their kin write it down. */
const ForeignServer = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  envFile: z.string().nullish(),
  bundle_id: z.string().nullish(),
  disabled: z.boolean().optional(),
  autoApprove: z.array(z.string()).optional(),
  alwaysAllow: z.array(z.string()).optional(),
});
type ForeignServer = z.infer<typeof ForeignServer>;

/** The values of placeholders that only the files of other programs have. */
export interface Places {
  workspaceFolder: string;
}

/**
 * The contents of a configuration file in our own form, whatever program it was written for. Entries that are ours
 * already are left as they are; `parseComputerConfig` judges them.
 */
export function toOwnFormat(data: unknown, places: Places): unknown {
  if (!isObject(data)) throw new ConfigError('', 'expected an object with `servers` or `mcpServers`');
  if (isSettings(data)) {
    throw new ConfigError('', 'these are settings of the official command and no MCP servers: give its `mcp.json`');
  }
  const key = 'servers' in data || !('mcpServers' in data) ? 'servers' : 'mcpServers';
  const servers = data[key];
  if (!isObject(servers)) throw new ConfigError(key, 'expected an object with one entry per MCP server');
  const converted = Object.entries(servers).map(([name, server]) => {
    const isOwn = isObject(server) && 'server_parameters' in server;
    const own = isOwn ? ownServer(server) : convert(server, `${key}.${name}`, places);
    return [name, isSwitchedOff(name, data) ? { ...own, disabled: true } : own];
  });
  const { inputs, $schema } = data;
  const rest = key === 'servers' ? withoutForeign(data) : {};
  return {
    ...rest,
    ...($schema === undefined ? {} : { $schema }),
    ...(inputs === undefined ? {} : { inputs: isOurs(servers) ? inputs : describeInputs(inputs) }),
    servers: Object.fromEntries(converted),
  };
}

function isOurs(servers: Json): boolean {
  return Object.values(servers).every(server => isObject(server) && 'server_parameters' in server);
}

/** Fields that other programs put beside the servers and that mean nothing here. */
function withoutForeign(data: Json): Json {
  const foreign = ['mcpServers', 'sandbox', ...SETTINGS];
  return Object.fromEntries(Object.entries(data).filter(([key]) => !foreign.includes(key)));
}

/** What the official command reads from `settings.json`. Of these only the lists of refused servers count here. */
const SETTINGS = [
  ...['extraKnownMarketplaces', 'installedPlugins', 'enabledPlugins', 'strictKnownMarketplaces'],
  ...['trustedMarketplaces', 'blockedMarketplaces', 'enableAllProjectMcpServers', 'enabledMcpjsonServers'],
  ...['disabledMcpjsonServers', 'allowedMcpServers', 'deniedMcpServers', 'permissions', 'landingRoot'],
];

function isSettings(data: Json): boolean {
  return !('servers' in data) && !('mcpServers' in data) && SETTINGS.some(key => key in data);
}

/** Whether settings beside the servers refuse one of them. */
function isSwitchedOff(name: string, { disabledMcpjsonServers, deniedMcpServers, allowedMcpServers }: Json): boolean {
  const lists = (list: unknown) => Array.isArray(list) && list.includes(name);
  const isForeign = Array.isArray(allowedMcpServers) && allowedMcpServers.length > 0 && !lists(allowedMcpServers);
  return isForeign || lists(disabledMcpjsonServers) || lists(deniedMcpServers);
}

/**
 * An entry in our own form, which is that of the official `mcp.json`. There the type may be missing, `envFile` may be
 * called `env_file`, and `oauth` configures a sign-in that does not exist here.
 */
function ownServer({ oauth: _oauth, env_file, ...server }: Json): Json {
  const { command, url } = fieldsOf(server.server_parameters);
  const type = typeof url === 'string' ? transportOf(undefined, url) : 'stdio';
  const isTyped = server.type !== undefined || (command === undefined && url === undefined);
  return {
    ...(isTyped ? {} : { type }),
    ...(env_file === undefined ? {} : { envFile: env_file }),
    ...server,
  };
}

function convert(entry: unknown, path: string, places: Places): Json {
  const read = ForeignServer.safeParse(entry);
  if (!read.success) {
    const { path: field, text } = firstProblem(read.error);
    throw new ConfigError(field === '' ? path : `${path}.${field}`, text);
  }
  const server = expand(read.data, places);
  const tool_meta = approved([...(server.autoApprove ?? []), ...(server.alwaysAllow ?? [])]);
  const id = typeof server.bundle_id === 'string' ? { bundle_id: server.bundle_id } : {};
  const base = { ...id, disabled: server.disabled ?? false, tool_meta };
  if (server.command !== undefined) {
    const { command, args = [], cwd = null } = server;
    const env = Object.entries(server.env ?? {}).filter(([, value]) => value !== null);
    const texts = Object.fromEntries(env.map(([name, value]) => [name, String(value)]));
    const envFile = typeof server.envFile === 'string' ? { envFile: server.envFile } : {};
    return { ...base, ...envFile, type: 'stdio', server_parameters: { command, args, cwd, env: texts } };
  }
  const url = server.url ?? server.serverUrl;
  if (url === undefined) throw new ConfigError(path, 'expected `command` or `url`');
  return { ...base, type: transportOf(server.type, url), server_parameters: { url, headers: server.headers ?? null } };
}

/** Files without a type mean what the address suggests: servers of the old transport are found at `…/sse`. */
function transportOf(type: string | undefined, url: string): 'sse' | 'streamable' {
  if (type !== undefined) return type.toLowerCase() === 'sse' ? 'sse' : 'streamable';
  return /^[^?#]*\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'streamable';
}

function approved(tools: readonly string[]): Record<string, { auto_apply: true }> {
  return Object.fromEntries(tools.map(tool => [tool, { auto_apply: true }]));
}

function expand(server: ForeignServer, places: Places): ForeignServer {
  const text = JSON.stringify(server, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('${workspaceFolder}', () => places.workspaceFolder) : value,
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
