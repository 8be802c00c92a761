import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

/** The clients whose settings `--print-config` knows. */
export const CLIENTS = ['claude', 'claude-code', 'vscode', 'cursor', 'codex', 'gemini', 'goose'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** How a client starts the bridge. */
export interface StdioEntry {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** How a client reaches a bridge that is running. */
export interface HttpEntry {
  url: string;
  headers: Record<string, string>;
}

export type ClientEntry = StdioEntry | HttpEntry;

/** Short, because clients put it before the name of each tool. */
const ENTRY_NAME = 'a2c';

/** The entry that starts this very command with these arguments. Absolute, since desktop programs have another PATH. */
export function stdioEntry(args: readonly string[], env: Record<string, string>): StdioEntry {
  const program = fileURLToPath(new URL('../../../bin/a2c.js', import.meta.url));
  return { command: execPath, args: [program, 'bridge', ...args], env };
}

/** The text to paste into the settings of a client. Undefined when the client cannot use such an entry. */
export function clientConfig(client: ClientName, entry: ClientEntry): string | undefined {
  const isHttp = 'url' in entry;
  switch (client) {
    case 'claude':
      return isHttp ? undefined : json({ mcpServers: { [ENTRY_NAME]: entry } });
    case 'claude-code':
      return json({ mcpServers: { [ENTRY_NAME]: typed(entry) } });
    case 'vscode':
      return json({ servers: { [ENTRY_NAME]: typed(entry) } });
    case 'cursor':
      return json({ mcpServers: { [ENTRY_NAME]: entry } });
    case 'gemini':
      return json({ mcpServers: { [ENTRY_NAME]: isHttp ? { httpUrl: entry.url, headers: entry.headers } : entry } });
    case 'codex':
      return codexConfig(entry);
    case 'goose':
      return gooseConfig(entry);
  }
}

function typed(entry: ClientEntry): object {
  return { type: 'url' in entry ? 'http' : 'stdio', ...entry };
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** TOML. Its basic strings and arrays are written as in JSON. */
function codexConfig(entry: ClientEntry): string {
  const table = `[mcp_servers.${ENTRY_NAME}]`;
  if ('url' in entry)
    return [table, `url = ${quoted(entry.url)}`, `http_headers = ${inlineTable(entry.headers)}`].join('\n');
  const { command, args, env } = entry;
  const lines = [table, `command = ${quoted(command)}`, `args = [${args.map(quoted).join(', ')}]`];
  if (Object.keys(env).length > 0) lines.push(`env = ${inlineTable(env)}`);
  return lines.join('\n');
}

function inlineTable(fields: Record<string, string>): string {
  return `{ ${Object.entries(fields)
    .map(([key, value]) => `${quoted(key)} = ${quoted(value)}`)
    .join(', ')} }`;
}

/** YAML, of which JSON is a part. */
function gooseConfig(entry: ClientEntry): string {
  const common = { enabled: true, name: ENTRY_NAME, timeout: 300 };
  const fields =
    'url' in entry
      ? { ...common, type: 'streamable_http', uri: entry.url, headers: entry.headers }
      : { ...common, type: 'stdio', cmd: entry.command, args: entry.args, envs: entry.env };
  const lines = Object.entries(fields).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
  return ['extensions:', `  ${ENTRY_NAME}:`, ...lines].join('\n');
}

function quoted(text: string): string {
  // JSON may contain DEL, which TOML must escape.
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
