import type { Logger } from '@a2c-smcp/core';
import { DRAIN_TIMEOUT_MS } from '@a2c-smcp/protocol';
import { defaultLimits, SmcpServer } from '@a2c-smcp/server';
import { WorkerError, WorkerLink, WorkerPool } from '@a2c-smcp/server/workers';
import { stopped, UsageError, type World } from '../../command.ts';
import { announceAddress, announceEnd, announceKeys, placeOf } from './announce.ts';
import { openConsole } from './console.ts';
import { openLog, openOptions, type ServerPlan, throwUsageError, WORKER_VARIABLE } from './plan.ts';

export interface WorkersOptions {
  plan: ServerPlan;
  logger: Logger;
  /** How many processes there are. */
  count: number;
}

/** Runs a Server as several processes. This one accepts connections and hands them over. */
export async function runWorkers(world: World, { plan, logger, count }: WorkersOptions): Promise<undefined> {
  const { settings } = plan;
  const { host = '127.0.0.1', port = 7000, path = '/socket.io/', limits = {}, redis, cluster } = settings;
  if (process.platform === 'win32' && redis === undefined) {
    throw new UsageError('--workers: on Windows the processes meet in a Redis; add --redis');
  }
  await using pool = await WorkerPool.open({
    ...{ count, host, port, redis, cluster, logger },
    settings: plan,
    program: [...world.program, 'server'],
    env: { ...world.env, [WORKER_VARIABLE]: '1' },
    path: path.endsWith('/') ? path : `${path}/`,
    tls: settings.tls !== undefined,
    connectionsPerAddress: limits.connectionsPerAddress ?? defaultLimits.connectionsPerAddress,
    gracePeriod: settings.gracePeriod ?? DRAIN_TIMEOUT_MS,
    onListening: url => announceAddress(placeOf(url, settings), world),
  }).catch((error: unknown) => {
    throw error instanceof WorkerError ? new UsageError(error.message) : error;
  });
  announceKeys(placeOf(pool.url, settings), plan, world);
  await stopped(world.signal);
  announceEnd(world);
  return undefined;
}

/** Runs one of those processes. */
export async function runWorker(world: World): Promise<undefined> {
  const link = await WorkerLink.open();
  const plan = link.settings as ServerPlan;
  const logger = openLog(world, plan);
  try {
    // Operators are served by the first worker, and by another one only while it is started again.
    const { listen, page } = await openOptions(plan, logger).catch(throwUsageError);
    const { redis, inlet } = { redis: link.redis, inlet: link };
    await using _ = await SmcpServer.listen({ ...listen, redis, inlet, logger }).catch(throwUsageError);
    await Promise.race([link.listening, stopped(link.signal)]);
    if (page && !link.signal.aborted) {
      const address = openConsole(page, placeOf(link.url, plan.settings), plan.settings);
      if (link.index === 0) world.print(address);
    }
    await stopped(AbortSignal.any([world.signal, link.signal]));
  } catch (error) {
    await link.fail(error instanceof Error ? error.message : String(error), error instanceof UsageError);
  } finally {
    link.close();
  }
  return undefined;
}
