import { basename, resolve } from 'node:path';
import type { Json } from '@a2c-smcp/core';
import type { MCPServerConfig, MCPServerInput } from '@a2c-smcp/protocol';
import { defineCommand, UsageError, type World } from '../../command.ts';
import { explainFailure } from '../../failure.ts';
import { prettyJson } from '../../output/json.ts';
import { table } from '../../output/table.ts';
import { summaries } from '../summaries.ts';
import { existing } from './add.ts';
import { addToFile } from './edit.ts';
import { changedFileOption, userConfigFile } from './location.ts';
import { readProgramFile } from './program-formats.ts';
import { findProgramFiles, type ProgramFile, programFileAt } from './programs.ts';

/** An MCP server of another program. */
interface Found {
  program: string;
  file: string;
  config: MCPServerConfig;
  inputs: MCPServerInput[];
  /** Why it is not imported; undefined if it is. */
  left?: string;
}

/** `a2c import` */
export const importServers = defineCommand({
  summary: summaries.import,
  args: '[FILE…]',
  options: {
    ...changedFileOption,
    yes: { type: 'boolean', short: 'y', summary: 'Write without asking' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  examples: ['a2c import', 'a2c import --yes', 'a2c import ~/project/.cursor/mcp.json'],
  async run({ options, args, ...world }) {
    const { env, print, note, style } = world;
    const target = options.config ?? userConfigFile(env);
    const surroundings = { env, folder: resolve('.') };
    const files =
      args.length > 0 ? args.map(path => programFileAt(path, surroundings)) : findProgramFiles(surroundings);
    const found = selected(await readAll(files, note), await existing(target));
    if (options.json) print(prettyJson(found.map(shown)));
    else if (found.length === 0) print('No MCP servers of other programs were found');
    else for (const line of table(['MCP SERVER', 'FROM', 'HOW', ''], found.map(row), { style })) print(line);
    const chosen = found.filter(({ left }) => left === undefined);
    if (chosen.length === 0) return;
    if (!(options.yes || (await isConfirmed(chosen.length, target, world)))) {
      note('Nothing was written');
      return;
    }
    await addToFile(target, {
      servers: Object.fromEntries(chosen.map(({ config }) => [config.name, tidy(config)])),
      inputs: await newInputs(chosen, target),
    });
    note(`Added ${chosen.length} to ${target}; 'a2c doctor' tries them, 'a2c computer' runs them`);
  },
});

async function readAll(files: readonly ProgramFile[], note: World['note']): Promise<Found[]> {
  const read = files.map(async file => {
    try {
      const { config } = await readProgramFile(file);
      const { inputs } = config;
      return Object.values(config.servers).map(server => {
        return { program: file.program, file: file.path, config: server, inputs };
      });
    } catch (error) {
      note(`${file.program}: ${explainFailure(error).message}`);
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}

/** Marks those that are there already, and those whose names or inputs mean something else. */
function selected(
  found: readonly Found[],
  known: { servers: Record<string, unknown>; inputs: MCPServerInput[] },
): Found[] {
  const names = new Set(Object.keys(known.servers));
  const inputs = new Map(known.inputs.map(input => [input.id, JSON.stringify(input)]));
  const fromNow = new Map<string, string>();
  return found.map(each => {
    const { config } = each;
    const text = JSON.stringify(config);
    const same = fromNow.get(config.name);
    if (isBridge(config)) return { ...each, left: 'leads to an office itself' };
    if (names.has(config.name)) return { ...each, left: 'there already' };
    if (same !== undefined) return { ...each, left: same === text ? 'found twice' : 'another has this name' };
    const used = usedInputs(each);
    const taken = used.find(input => (inputs.get(input.id) ?? JSON.stringify(input)) !== JSON.stringify(input));
    if (taken) return { ...each, left: `another input is called '${taken.id}'` };
    for (const input of used) inputs.set(input.id, JSON.stringify(input));
    fromNow.set(config.name, text);
    return each;
  });
}

function usedInputs({ config, inputs }: Found): MCPServerInput[] {
  const text = JSON.stringify(config);
  return inputs.filter(({ id }) => text.includes(`\${input:${id}}`));
}

async function newInputs(chosen: readonly Found[], target: string): Promise<MCPServerInput[]> {
  const known = new Set((await existing(target)).inputs.map(({ id }) => id));
  const used = chosen.flatMap(usedInputs).filter(({ id }) => !known.has(id));
  return [...new Map(used.map(input => [input.id, input])).values()];
}

/** True if it is `a2c bridge`: a Computer that offers it would offer its own tools to itself. */
function isBridge(config: MCPServerConfig): boolean {
  if (config.type !== 'stdio') return false;
  const { command, args = [] } = config.server_parameters;
  return (
    [command, ...args].some(word => /(?:^|[\\/@])a2c(?:-smcp)?(?:\.js|\.cmd)?(?:@.*)?$/.test(word)) &&
    args.includes('bridge')
  );
}

async function isConfirmed(count: number, target: string, { terminal, signal }: World): Promise<boolean> {
  if (!terminal) throw new UsageError(`--yes adds ${count} to ${target}`);
  const answer = await terminal.ask(`Add ${count} to ${target}? [y]es, [N]o: `, { signal });
  return /^\s*y(es)?\s*$/i.test(answer ?? '');
}

/** How a server is reached, without arguments and paths, which may hold secrets. */
function howOf(config: MCPServerConfig): string {
  if (config.type === 'stdio') return basename(config.server_parameters.command);
  const { url } = config.server_parameters;
  return URL.canParse(url) ? new URL(url).origin : config.type;
}

function row({ program, config, left = '' }: Found): string[] {
  return [config.name, program, howOf(config), left || (config.disabled ? 'disabled' : '')];
}

function shown({ program, file, config, left }: Found): Json {
  return { name: config.name, program, file, type: config.type, how: howOf(config), ...(left ? { left } : {}) };
}

/** Without what is the default anyway. */
function tidy({ name: _, server_parameters, ...config }: MCPServerConfig): Json {
  const isDefault = ([field, value]: [string, unknown]) =>
    value === null ||
    (field === 'disabled' && value === false) ||
    (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  const without = (fields: object) => Object.fromEntries(Object.entries(fields).filter(entry => !isDefault(entry)));
  return { ...without(config), server_parameters: without(server_parameters) };
}
