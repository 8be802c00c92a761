import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { OperatorConsole } from '@a2c-smcp/console/operator';
import type { Logger } from '@a2c-smcp/core';
import type { ListenOptions } from '@a2c-smcp/server';
import { type OptionValues, UsageError, type World } from '../../command.ts';
import { createLogger } from '../../log.ts';
import { authenticationOf } from './authentication.ts';
import { createConsole } from './console.ts';
import { type serverOptions, settingsOf } from './options.ts';
import { readSettings, type ServerSettings } from './settings.ts';
import { tlsOf } from './tls.ts';

/** Set for the processes of `--workers`. */
export const WORKER_VARIABLE = 'A2C_WORKER';

/** All that a Server is started with, as JSON: every worker gets the same, also one that is started later. */
export interface ServerPlan {
  settings: Omit<ServerSettings, 'certFile' | 'keyFile'> & { tls?: { cert: string; key: string } };
  /** The key of `--print-key`, one of those in the settings. */
  newKey?: string;
  console: boolean;
}

/** Reads the command line, the environment and the settings file. */
export async function planOf(options: OptionValues<typeof serverOptions>): Promise<ServerPlan> {
  const file = options.settings === undefined ? {} : await readSettings(options.settings);
  const given = settingsOf(options);
  const limits = { ...file.limits, ...given.limits };
  const { certFile, keyFile, $schema: _, ...settings } = { ...file, ...given, limits };
  checkOperatorKeys(settings);
  const tls = await tlsOf({ certFile, keyFile });
  const newKey = options['print-key'] ? randomBytes(24).toString('hex') : undefined;
  const keys = [...(settings.keys ?? []), ...(newKey === undefined ? [] : [newKey])];
  return {
    settings: { ...settings, keys, ...(tls ? { tls } : {}) },
    ...(newKey === undefined ? {} : { newKey }),
    console: options.console,
  };
}

/** How many processes there are. */
export function workerCount(workers: ServerSettings['workers'] = 1): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

export function openLog({ note, style, terminal, runAsService }: World, { settings }: ServerPlan): Logger {
  const format = settings.logs ?? (terminal ? 'pretty' : 'json');
  const logger = createLogger({ write: note, format, level: settings.logLevel ?? 'info', style });
  runAsService(logger);
  return logger;
}

/** The options of the library, and the pages for operators if they are wanted. */
export async function openOptions(
  { settings, console: isWanted }: ServerPlan,
  logger: Logger,
): Promise<{ listen: ListenOptions; page: OperatorConsole | undefined }> {
  const { keys, jwt, logs: _, logLevel: __, workers: ___, $schema: ____, ...listen } = settings;
  giveHeapRoom();
  const authenticate = await authenticationOf({ keys, jwt });
  const page = isWanted ? await createConsole(logger) : undefined;
  return {
    listen: { ...listen, ...(authenticate ? { authenticate } : {}), ...(page ? { console: page.console } : {}) },
    page,
  };
}

/** Options that the library refuses are mistakes in the command line. Its messages name its own options. */
export function throwUsageError(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  const needsKey = 'code' in error && error.code === 'ERR_NEEDS_AUTHENTICATE';
  throw new UsageError(
    needsKey
      ? 'Other machines could connect without credentials: add --key, --print-key or a JWT option, or --allow-anonymous'
      : error.message,
  );
}

/** A key of both kinds would let Agents and Computers do what only operators may. */
function checkOperatorKeys({ keys = [], operatorKeys = [] }: ServerSettings): void {
  const admitted = keys.map(key => (typeof key === 'string' ? key : key.key));
  if (!operatorKeys.some(key => admitted.includes(key))) return;
  throw new UsageError('A key of --operator-key is a key of clients, too: give operators one of their own');
}

/**
 * Lets the heap grow fourfold, the maximum of V8, before a full collection. Messages in transit count towards the growth:
 * with bodies of a megabyte, collecting the small heap of a relay at the default factor costs as much as relaying them.
 */
function giveHeapRoom(): void {
  setFlagsFromString('--heap-growing-percent=300');
}
