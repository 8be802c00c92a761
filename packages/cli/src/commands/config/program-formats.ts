import { join } from 'node:path';
import { type LoadedConfig, parseJsonc, readConfig, readTextFile } from '@a2c-smcp/computer/files';
import { fieldsOf, isObject, type Json } from '@a2c-smcp/core';
import { ConfigError } from '@a2c-smcp/protocol';
import type { ProgramFile } from './programs.ts';

/** Reads the MCP servers of another program in our own form. */
export async function readProgramFile(file: ProgramFile): Promise<Omit<LoadedConfig, 'origin'>> {
  const text = await readTextFile(file.path);
  const data = await parseAs(file, text);
  // Relative to the folder where the program would start them.
  return readConfig(data, join(file.folder, 'mcp.json'));
}

async function parseAs({ form, path, project }: ProgramFile, text: string): Promise<unknown> {
  switch (form) {
    case 'json':
      return withServers(parseJsonc(text, path));
    case 'claude-code':
      return claudeCode(parseJsonc(text, path), project);
    case 'codex': {
      const { parse } = await import('smol-toml');
      return codex(parsed('TOML', path, () => parse(text)));
    }
    case 'goose': {
      const { parse } = await import('yaml');
      return goose(parsed('YAML', path, () => parse(text)));
    }
  }
}

/** The parsers put lines of the file into their messages, which may hold secrets. */
function parsed(language: string, path: string, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    const { line, linePos } = fieldsOf(error);
    const [start] = Array.isArray(linePos) ? linePos : [];
    throw new ConfigError('', `no valid ${language} at line ${line ?? fieldsOf(start).line ?? '?'}, in '${path}'`);
  }
}

/** Programs keep settings of their own in the file before there is an MCP server. */
function withServers(data: unknown): unknown {
  return isObject(data) && !('servers' in data) && !('mcpServers' in data) ? { mcpServers: {} } : data;
}

/** Claude Code has servers of the user, and of single projects, and `${NAME}` is a variable of the environment. */
function claudeCode(data: unknown, project: string): unknown {
  const { mcpServers, projects } = fieldsOf(data);
  const local = Object.entries(fieldsOf(fieldsOf(fieldsOf(projects)[project]).mcpServers));
  const placed = local.map(([name, server]) => [name, { cwd: project, ...fieldsOf(server) }]);
  const servers = { ...fieldsOf(mcpServers), ...Object.fromEntries(placed) };
  const text = JSON.stringify(servers, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/g, '${env:$1}') : value,
  );
  return { mcpServers: JSON.parse(text) };
}

/** The tables `[mcp_servers.NAME]` of Codex. */
function codex(data: unknown): unknown {
  const servers = Object.entries(fieldsOf(fieldsOf(data).mcp_servers)).map(([name, value]) => {
    const { command, args, cwd, url, env, env_vars, enabled, disabled_tools, ...more } = fieldsOf(value);
    const forwarded = names(env_vars).map(variable => [variable, `\${env:${variable}}`]);
    const headers = {
      ...fieldsOf(more.http_headers),
      ...mapped(fieldsOf(more.env_http_headers), variable => `\${env:${variable}}`),
      ...(more.bearer_token_env_var ? { Authorization: `Bearer \${env:${more.bearer_token_env_var}}` } : {}),
    };
    const rest = given({ enabled, disabledTools: disabled_tools });
    if (url !== undefined) return [name, { url, headers, ...rest }];
    return [
      name,
      { ...given({ command, args, cwd }), env: { ...Object.fromEntries(forwarded), ...fieldsOf(env) }, ...rest },
    ];
  });
  return { mcpServers: Object.fromEntries(servers) };
}

/** The `extensions` of Goose that are MCP servers. Values of `env_keys` are in its keychain, so they are asked for. */
function goose(data: unknown): unknown {
  const secrets = new Set<string>();
  const servers = Object.entries(fieldsOf(fieldsOf(data).extensions)).flatMap(([name, value]): [string, Json][] => {
    const { type, cmd, args, envs, env_keys, uri, headers, enabled } = fieldsOf(value);
    const rest = given({ enabled });
    if (type === 'sse' || type === 'streamable_http') {
      return [[name, { type: type === 'sse' ? 'sse' : 'http', url: uri, headers: fieldsOf(headers), ...rest }]];
    }
    // Others are parts of Goose itself.
    if (type !== 'stdio') return [];
    for (const key of names(env_keys)) secrets.add(key);
    const asked = names(env_keys).map(key => [key, `\${input:${key}}`]);
    return [
      [name, { command: cmd, ...given({ args }), env: { ...Object.fromEntries(asked), ...fieldsOf(envs) }, ...rest }],
    ];
  });
  const inputs = [...secrets].map(id => ({ id, type: 'promptString', description: id, password: true }));
  return { inputs, mcpServers: Object.fromEntries(servers) };
}

function names(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(name => typeof name === 'string') : [];
}

function mapped(fields: Json, value: (field: unknown) => string): Json {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, value(field)]));
}

function given(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
