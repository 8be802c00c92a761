import { loadConfigFile } from '@a2c-smcp/computer/files';
import { fieldsOf, type Json } from '@a2c-smcp/core';
import type { ComputerConfig, MCPServerInput } from '@a2c-smcp/protocol';
import { defineCommand, UsageError } from '../../command.ts';
import { readAssignment, readHeaders } from '../../options.ts';
import { summaries } from '../summaries.ts';
import { addToFile } from './edit.ts';
import { changedFileOption, userConfigFile } from './location.ts';

/** `a2c add` */
export const add = defineCommand({
  summary: summaries.add,
  args: 'NAME URL | NAME -- COMMAND [ARGUMENT…]',
  options: {
    ...changedFileOption,
    env: { type: 'string', short: 'e', value: 'NAME=VALUE', multiple: true, summary: 'A variable for its process' },
    cwd: { type: 'string', value: 'DIR', summary: 'The folder in which its process starts' },
    header: { type: 'string', value: 'K:V', multiple: true, summary: 'A header of every request to its URL' },
    'auto-apply': { type: 'boolean', summary: 'Let all its tools run without confirmation' },
    replace: { type: 'boolean', summary: 'Replace the MCP server of this name' },
  },
  examples: [
    'a2c add files -- npx -y @modelcontextprotocol/server-filesystem ~/work',
    "a2c add github https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${input:token}'",
  ],
  async run({ options, args, env, print }) {
    const file = options.config ?? userConfigFile(env);
    const [name, ...target] = args;
    if (name === undefined || target.length === 0) {
      throw new UsageError('Which MCP server? Give NAME URL, or NAME -- COMMAND with its arguments');
    }
    const server = { ...serverAt(target, options), ...(options['auto-apply'] ? AUTO_APPLY : {}) };
    const config = await existing(file);
    if (Object.hasOwn(config.servers, name) && !options.replace) {
      throw new UsageError(`'${file}' has an MCP server '${name}': --replace replaces it`);
    }
    const inputs = missingInputs(server, config.inputs);
    await addToFile(file, { servers: { [name]: server }, inputs });
    print(`Added '${name}' to ${file}`);
    for (const { id } of inputs) print(`Its input '${id}' is asked for when the Computer starts`);
  },
});

const AUTO_APPLY = { default_tool_meta: { auto_apply: true } };

interface ServerOptions {
  env: string[];
  cwd: string | undefined;
  header: string[];
}

/** The configuration of the MCP server at a URL, or of the command with its arguments. */
export function serverAt(target: readonly string[], { env, cwd, header }: ServerOptions): Json {
  const [first = '', ...args] = target;
  const isUrl = /^https?:\/\//i.test(first);
  if (isUrl && args.length > 0) throw new UsageError(`Unexpected '${args[0]}' after the URL`);
  if (isUrl ? env.length > 0 || cwd !== undefined : header.length > 0) {
    throw new UsageError('--env and --cwd are for a COMMAND, --header is for a URL');
  }
  if (isUrl) {
    const headers = Object.assign({}, ...header.map(text => readHeaders('--header', text)));
    const type = /\/sse\/?$/.test(new URL(first).pathname) ? 'sse' : 'streamable';
    return { type, server_parameters: { url: first, ...(header.length > 0 ? { headers } : {}) } };
  }
  const variables = Object.fromEntries(env.map(text => readAssignment('--env', text)));
  return {
    type: 'stdio',
    server_parameters: {
      command: first,
      ...(args.length > 0 ? { args } : {}),
      ...(env.length > 0 ? { env: variables } : {}),
      ...(cwd === undefined ? {} : { cwd }),
    },
  };
}

/** The contents of the file; nothing if it does not exist yet. */
export async function existing(file: string): Promise<ComputerConfig> {
  try {
    return (await loadConfigFile(file)).config;
  } catch (error) {
    if (fieldsOf(error).code === 'ENOENT') return { inputs: [], policy: [], questions: {}, servers: {} };
    throw error;
  }
}

/** Definitions for the inputs that a server refers to and the file does not define. They may be secret, so they are hidden. */
function missingInputs(server: Json, known: readonly MCPServerInput[]): MCPServerInput[] {
  const ids = [...JSON.stringify(server).matchAll(/\$\{input:([^}"]+)\}/g)].map(([, id = '']) => id);
  return [...new Set(ids)]
    .filter(id => known.every(input => input.id !== id))
    .map(id => ({ id, type: 'promptString', description: id, password: true }));
}
