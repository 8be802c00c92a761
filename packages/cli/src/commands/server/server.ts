import { silentLogger } from '@a2c-smcp/core';
import { SmcpServer } from '@a2c-smcp/server';
import { defineCommand, type OptionValues, stopped, UsageError, type World } from '../../command.ts';
import { serviceCommands } from '../service/service.ts';
import type { GivenValues } from '../service/spec.ts';
import { summaries } from '../summaries.ts';
import { announceAddress, announceEnd, announceKeys, placeOf } from './announce.ts';
import { openConsole } from './console.ts';
import { consoleAddress } from './operator/console.ts';
import { disconnect } from './operator/disconnect.ts';
import { top } from './operator/top.ts';
import { serverOptions } from './options.ts';
import { openLog, openOptions, planOf, throwUsageError, WORKER_VARIABLE, workerCount } from './plan.ts';

/** `a2c server` */
export const server = defineCommand({
  summary: summaries.server,
  options: serverOptions,
  subcommands: {
    top,
    console: consoleAddress,
    disconnect,
    ...serviceCommands({ role: 'server', specs: serverOptions, prepare: prepareService }),
  },
  examples: [
    'a2c server                                # for this machine only',
    'a2c server --host 0.0.0.0 --print-key     # for others, with a fresh key and lines to paste there',
    'a2c server --host 0.0.0.0 --print-key --cert cert.pem --key-file key.pem   # with TLS',
    'a2c server --workers auto                 # a process for each core, on one port',
    'A2C_KEYS=one,two a2c server --settings server.json',
  ],
  async run(context) {
    const { options, signal, print, env } = context;
    if (env[WORKER_VARIABLE]) return (await import('./workers.ts')).runWorker(context);
    const plan = await planOf(options);
    const logger = openLog(context, plan);
    const count = workerCount(plan.settings.workers);
    if (count > 1) return (await import('./workers.ts')).runWorkers(context, { plan, logger, count });
    const { listen, page } = await openOptions(plan, logger);
    await using relay = await SmcpServer.listen({ ...listen, logger }).catch(throwUsageError);
    const place = placeOf(relay.url, plan.settings);
    announceAddress(place, context);
    if (page) print(openConsole(page, place, plan.settings));
    announceKeys(place, plan, context);
    await stopped(signal);
    announceEnd(context);
    return undefined;
  },
});

/** Opens a Server with the options for a moment, on any free port and without Redis, so that mistakes are told now. */
async function prepareService(given: GivenValues, { print }: World): Promise<GivenValues> {
  const options = given as OptionValues<typeof serverOptions>;
  const plan = await planOf(options);
  const { newKey } = plan;
  const { redis: _, cluster: __, ...settings } = plan.settings;
  const { listen: alone } = await openOptions({ ...plan, settings, console: false }, silentLogger);
  const relay = await SmcpServer.listen({ ...alone, port: 0 }).catch(throwUsageError);
  await relay.close();
  if (newKey === undefined) return given;
  if (options.settings !== undefined) {
    throw new UsageError(`--print-key: the keys are those of '${options.settings}', add one there`);
  }
  print(`Key ${newKey}`);
  return { ...given, key: [...options.key, newKey], 'print-key': false };
}
