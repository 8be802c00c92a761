import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@a2c-smcp/core';
import { WorkerPool } from '@a2c-smcp/server/workers';
import { benchLimits } from './limits.ts';
import { obey, settings, type UsageRequest, usage } from './obey.ts';

export interface WorkerPoolSettings {
  count: number;
  redis?: string;
}

const { count, redis } = settings<WorkerPoolSettings>();
const workers = new Set<unknown>();
const pool = await WorkerPool.open({
  program: [process.execPath, fileURLToPath(new URL('./worker.js', import.meta.url))],
  env: process.env,
  ...{ count, redis, settings: {}, host: '127.0.0.1', port: 0, path: '/socket.io/', tls: false, gracePeriod: 0 },
  connectionsPerAddress: benchLimits.connectionsPerAddress,
  logger: { ...silentLogger, info: (_, fields) => workers.add(fields?.pid) },
});

// The CPU of this process and of all its workers.
obey(pool.url, (request: UsageRequest) => {
  const own = usage(request);
  return { ...own, cpu: own.cpu + [...workers].reduce<number>((sum, pid) => sum + cpuOf(pid), 0) };
});

/** Microseconds. `process.cpuUsage` tells of its own process only. */
function cpuOf(pid: unknown): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map(thread => {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(onCpu);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}
