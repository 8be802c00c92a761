import { fileURLToPath } from 'node:url';
import { silentLogger } from '@a2c-smcp/core';
import { WorkerPool } from '@a2c-smcp/server/workers';
import { benchLimits } from './limits.ts';
import { obey, settings, usage } from './obey.ts';

export interface WorkerPoolSettings {
  count: number;
  redis?: string;
}

const { count, redis } = settings<WorkerPoolSettings>();
const pool = await WorkerPool.open({
  program: [process.execPath, fileURLToPath(new URL('./worker.js', import.meta.url))],
  env: process.env,
  ...{ count, redis, settings: {}, host: '127.0.0.1', port: 0, path: '/socket.io/', tls: false, gracePeriod: 0 },
  connectionsPerAddress: benchLimits.connectionsPerAddress,
  logger: silentLogger,
});

obey(pool.url, usage);
