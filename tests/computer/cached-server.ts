import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer, type ComputerOptions } from '@a2c-smcp/computer';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { expect } from 'vitest';
import { fixture, stateOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

export interface CachedServer {
  config: MCPServerConfig;
  catalogFolder: string;
  /** Replaces what the server does from its next start on, which its configuration does not tell. */
  write(script: object): void;
  /** The processes that were started so far. */
  pids(): number[];
}

/** A lazy server whose script is a file. */
export function lazy(script: object, config: Partial<MCPServerConfig> = {}, program = fixture): CachedServer {
  const folder = temporaryFolder();
  const launcher = join(folder, 'server.mjs');
  const write = (next: object) => writeFileSync(join(folder, 'script.json'), JSON.stringify(next));
  write(script);
  writeFileSync(
    launcher,
    `import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync('${folder}/pids', process.pid + '\\n');
    process.argv[2] = readFileSync('${folder}/script.json', 'utf8');
    await import('file://${program}');`,
  );
  writeFileSync(join(folder, 'pids'), '');
  return {
    config: {
      name: 's',
      default_tool_meta: { auto_apply: true },
      start: 'lazy',
      ...config,
      type: 'stdio',
      server_parameters: { command: process.execPath, args: [launcher] },
    },
    catalogFolder: join(folder, 'catalogs'),
    write,
    pids: () => readFileSync(join(folder, 'pids'), 'utf8').split('\n').filter(Boolean).map(Number),
  };
}

export function open(
  { config, catalogFolder }: CachedServer,
  options: Partial<ComputerOptions> = {},
): Promise<Computer> {
  return Computer.open({ name: 'desk', servers: { [config.name]: config }, catalogFolder, ...options });
}

/** Starts the server once, so that its lists are cached. */
export async function fill(server: CachedServer, options: Partial<ComputerOptions> = {}): Promise<Computer['tools']> {
  await using computer = await open(server, options);
  expect(stateOf(computer, server.config.name)).toBe('ready');
  return computer.tools;
}
