import { resolve } from 'node:path';
import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import { describeError } from '../describe-error.ts';
import { readTextFile } from './text-file.ts';

/** The configuration with the variables of its `envFile`, if it has one. Those of `env` win. */
export async function withEnvFile<T extends CompleteMCPServerConfig>(config: T): Promise<T> {
  if (config.type !== 'stdio' || typeof config.envFile !== 'string') return config;
  const { cwd, env } = config.server_parameters;
  const variables = await readEnvFile(resolve(cwd ?? '', config.envFile));
  return { ...config, server_parameters: { ...config.server_parameters, env: { ...variables, ...env } } };
}

/** No `ConfigError`: the start is retried, and the file may appear. The text of the file is in no error. */
async function readEnvFile(path: string): Promise<Record<string, string>> {
  try {
    return parseEnvFile(await readTextFile(path));
  } catch (cause) {
    throw new Error(`The envFile cannot be read: ${describeError(cause)}`, { cause });
  }
}

/**
 * Reads lines of `NAME=value`. Blank lines and comments are skipped, `export` and a pair of quotes around a value are
 * removed, and nothing is replaced inside a value.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const variables = text.split(/\r\n?|\n/).flatMap((line, index) => {
    const trimmed = line.replace(/^\uFEFF/, '').trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const [, name, value = ''] = /^(?:export\s+)?([^\s=]+)\s*=\s*(.*)$/s.exec(trimmed) ?? [];
    if (name === undefined || value.includes('\0')) throw new Error(`line ${index + 1} is not NAME=value`);
    return [[name, value.replace(/^(["'])(.*)\1$/s, '$2')] as const];
  });
  return Object.fromEntries(variables);
}
