import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { SmcpServer } from '@a2c-smcp/server';
import { defineCommand, type OptionValues, stopped, UsageError, type World } from '../../command.ts';
import { createLogger } from '../../log.ts';
import { serviceCommands } from '../service/service.ts';
import type { GivenValues } from '../service/spec.ts';
import { authenticationOf } from './authentication.ts';
import { consoleOrigins, createConsole } from './console.ts';
import { invitationLines, reachableUrl } from './invitation.ts';
import { serverOptions, settingsOf } from './options.ts';
import { readSettings, type ServerSettings } from './settings.ts';
import { certificateNames, tlsOf } from './tls.ts';

/** `a2c server` */
export const server = defineCommand({
  summary: 'Run a Server: the relay that Agents and Computers connect to.',
  options: serverOptions,
  subcommands: {
    top: async () => (await import('./operator/top.ts')).top,
    console: async () => (await import('./operator/console.ts')).consoleAddress,
    disconnect: async () => (await import('./operator/disconnect.ts')).disconnect,
    ...serviceCommands({ role: 'server', specs: serverOptions, prepare: prepareService }),
  },
  examples: [
    'a2c server                                # for this machine only',
    'a2c server --host 0.0.0.0 --print-key     # for others, with a fresh key and lines to paste there',
    'a2c server --host 0.0.0.0 --print-key --cert cert.pem --key-file key.pem   # with TLS',
    'A2C_KEYS=one,two a2c server --settings server.json',
  ],
  async run({ options, signal, print, note, style, terminal, runAsService }) {
    const { listen, newKey, logs, logLevel } = await listenOptionsOf(options);
    const format = logs ?? (terminal ? 'pretty' : 'json');
    const logger = createLogger({ write: note, format, level: logLevel, style });
    runAsService(logger);
    giveHeapRoom();
    const page = options.console ? await createConsole(logger) : undefined;
    const opening = SmcpServer.listen({ ...listen, ...(page ? { console: page.console } : {}), logger });
    await using relay = await opening.catch(throwUsageError);
    const names = [...(listen.allowedHosts ?? []), ...(listen.tls ? certificateNames(listen.tls.cert) : [])];
    const place = { url: relay.url, host: listen.host, names };
    print(`Server on ${relay.url}`);
    if (page) {
      page.open(consoleOrigins(place, listen));
      print(page.issueAddress());
    }
    if (newKey !== undefined) {
      print(`Key ${newKey}`);
      for (const line of invitationLines(place, newKey)) print(line);
    } else if (terminal && reachableUrl(place) !== relay.url) {
      note(style.dim(`Other machines reach it at ${reachableUrl(place)}`));
    }
    if (!listen.authenticate && !listen.allowAnonymous)
      note(style.dim('No credentials are asked for: only this machine may connect.'));
    await stopped(signal);
    note(style.dim('Ending: calls in flight may finish. Ctrl-C again ends at once.'));
  },
});

/** A key of both kinds would let Agents and Computers do what only operators may. */
function checkOperatorKeys({ keys = [], operatorKeys = [] }: ServerSettings): void {
  const admitted = keys.map(key => (typeof key === 'string' ? key : key.key));
  if (!operatorKeys.some(key => admitted.includes(key))) return;
  throw new UsageError('A key of --operator-key is a key of clients, too: give operators one of their own');
}

/** The options of the library from the command line, the environment and the settings file, and a key that was asked for. */
async function listenOptionsOf(options: OptionValues<typeof serverOptions>) {
  const file = options.settings === undefined ? {} : await readSettings(options.settings);
  const given = settingsOf(options);
  const limits = { ...file.limits, ...given.limits };
  const settings = { ...file, ...given, limits };
  const { keys = [], jwt, logs, logLevel = 'info', certFile, keyFile, $schema: _, ...listen } = settings;
  checkOperatorKeys(settings);
  const tls = await tlsOf({ certFile, keyFile });
  const newKey = options['print-key'] ? randomBytes(24).toString('hex') : undefined;
  const authenticate = await authenticationOf({ keys: newKey === undefined ? keys : [...keys, newKey], jwt });
  return {
    listen: { ...listen, ...(tls ? { tls } : {}), ...(authenticate ? { authenticate } : {}) },
    newKey,
    logs,
    logLevel,
  };
}

/** Opens a Server with the options for a moment, on any free port and without Redis, so that mistakes are told now. */
async function prepareService(given: GivenValues, { print }: World): Promise<GivenValues> {
  const options = given as OptionValues<typeof serverOptions>;
  const { listen, newKey } = await listenOptionsOf(options);
  const { redis: _, cluster: __, ...alone } = listen;
  const relay = await SmcpServer.listen({ ...alone, port: 0 }).catch(throwUsageError);
  await relay.close();
  if (newKey === undefined) return given;
  if (options.settings !== undefined) {
    throw new UsageError(`--print-key: the keys are those of '${options.settings}', add one there`);
  }
  print(`Key ${newKey}`);
  return { ...given, key: [...options.key, newKey], 'print-key': false };
}

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
