import { setFlagsFromString } from 'node:v8';
import { SmcpServer } from '@a2c-smcp/server';
import { WorkerLink } from '@a2c-smcp/server/workers';
import { benchLimits as limits } from './limits.ts';

// One of the processes of `worker-pool.ts`.
setFlagsFromString('--heap-growing-percent=300');
const link = await WorkerLink.open();
await SmcpServer.listen({ redis: link.redis, inlet: link, limits });
link.signal.addEventListener('abort', () => process.exit());
