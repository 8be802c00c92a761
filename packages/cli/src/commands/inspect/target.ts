import { existsSync } from 'node:fs';
import { loadConfigFile } from '@a2c-smcp/computer/files';
import type { ComputerConfig } from '@a2c-smcp/protocol';
import { UsageError } from '../../command.ts';
import { serverAt } from '../config/add.ts';

/** The MCP server to inspect, as a configuration with nothing else. */
export interface Target {
  name: string;
  config: Pick<ComputerConfig, 'servers' | 'inputs'>;
  /** Files of its command line: a change of one restarts it. */
  files: string[];
}

export interface TargetOptions {
  /** The configuration in which a NAME is looked up. */
  file: string | undefined;
  env: string[];
  cwd: string | undefined;
  header: string[];
}

/** The target that the command line names: an MCP server of the configuration, a URL, or a command. */
export async function findTarget(words: readonly string[], { file, ...options }: TargetOptions): Promise<Target> {
  const [first, ...rest] = words;
  if (first === undefined)
    throw new UsageError('Which MCP server? Give a COMMAND, a URL, or a NAME of the configuration');
  const known = rest.length === 0 && file !== undefined ? await serverOf(first, file) : undefined;
  if (known) return { name: first, ...known, files: filesIn(known.config.servers[first]) };
  const server = { name: 'inspected', mcp_protocol: 'auto', ...serverAt(words, options) };
  const servers = { inspected: server } as unknown as ComputerConfig['servers'];
  return { name: 'inspected', config: { servers, inputs: [] }, files: words.filter(existsSync) };
}

async function serverOf(name: string, file: string): Promise<Pick<Target, 'config'> | undefined> {
  const { config } = await loadConfigFile(file);
  const server = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined;
  return server && { config: { servers: { [name]: { ...server, disabled: false } }, inputs: config.inputs } };
}

function filesIn(server: ComputerConfig['servers'][string] | undefined): string[] {
  return server?.type === 'stdio' ? (server.server_parameters.args ?? []).filter(existsSync) : [];
}
