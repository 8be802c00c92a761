import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { SmcpServer } from '@a2c-smcp/server';
import { defineCommand, stopped, UsageError } from '../../command.ts';
import { createLogger } from '../../log.ts';
import { authenticationOf } from './authentication.ts';
import { serverOptions, settingsOf } from './options.ts';
import { readSettings } from './settings.ts';

/** `a2c server` */
export const server = defineCommand({
  summary: 'Run a Server: the relay that Agents and Computers connect to.',
  options: serverOptions,
  examples: [
    'a2c server                                # for this machine only',
    'a2c server --host 0.0.0.0 --print-key     # for others, with a fresh key',
    'A2C_KEYS=one,two a2c server --settings server.json',
  ],
  async run({ options, signal, print, note, style, terminal, runAsService }) {
    const file = options.settings === undefined ? {} : await readSettings(options.settings);
    const given = settingsOf(options);
    const limits = { ...file.limits, ...given.limits };
    const { keys = [], jwt, logs, logLevel = 'info', $schema: _, ...listen } = { ...file, ...given, limits };
    const newKey = options['print-key'] ? randomBytes(24).toString('hex') : undefined;
    const authenticate = await authenticationOf({ keys: newKey === undefined ? keys : [...keys, newKey], jwt });
    const format = logs ?? (terminal ? 'pretty' : 'json');
    const logger = createLogger({ write: note, format, level: logLevel, style });
    runAsService(logger);
    giveHeapRoom();
    const opening = SmcpServer.listen({ ...listen, ...(authenticate ? { authenticate } : {}), logger });
    await using relay = await opening.catch(throwUsageError);
    print(`Server on ${relay.url}`);
    if (newKey !== undefined) print(`Key ${newKey}`);
    else if (!authenticate && !listen.allowAnonymous)
      note(style.dim('No credentials are asked for: only this machine may connect.'));
    await stopped(signal);
    note(style.dim('Ending: calls in flight may finish. Ctrl-C again ends at once.'));
  },
});

/** Options that the library refuses are mistakes in the command line. Its messages name its own options. */
function throwUsageError(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  const needsKey = 'code' in error && error.code === 'ERR_NEEDS_AUTHENTICATE';
  throw new UsageError(
    needsKey
      ? 'Other machines could connect without credentials: add --key, --print-key or a JWT option, or --allow-anonymous'
      : error.message,
  );
}

/**
 * Lets the heap grow fourfold, the maximum of V8, before a full collection. Messages in transit count towards the growth:
 * with bodies of a megabyte, collecting the small heap of a relay at the default factor costs as much as relaying them.
 */
function giveHeapRoom(): void {
  setFlagsFromString('--heap-growing-percent=300');
}
