import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { pollingClient, tcpClient, webSocketClient } from './clients.ts';
import { WorkingOffice } from './office.ts';
import { ServerProcess } from './server-process.ts';

/** The machine may be busy with other things; an attack that works blocks for much longer. */
const MAX_WAIT_MS = 5000;
/** Resident memory may rise by this much, in MiB; a collector does not give everything back. */
const MAX_GROWTH_MB = 150;
/** Cases after which memory counts as warm. */
const WARM_CASES = 500;

/** `a2c server` under random frames. */
export async function openFrames(): Promise<Target> {
  const server = await ServerProcess.start();
  const office = await WorkingOffice.open(server.url);
  let cases = 0;
  let warm: number | undefined;
  return {
    parallel: 8,

    async run(random: Random) {
      const client = random.pick([webSocketClient, webSocketClient, webSocketClient, pollingClient, tcpClient]);
      await client(server.url, random);
      server.check();
      office.check(MAX_WAIT_MS);
      cases += 1;
      if (cases === WARM_CASES) warm = server.memory;
    },

    async settle() {
      const health = await settled(server);
      office.check(MAX_WAIT_MS);
      const { memory } = server;
      if (memory !== undefined && warm !== undefined && memory - warm > MAX_GROWTH_MB) {
        throw new Error(`Memory has grown from ${warm} to ${memory} MiB`);
      }
      return `${office.summary}; left ${JSON.stringify(health)}; memory ${warm ?? '?'} to ${memory ?? '?'} MiB`;
    },

    async [Symbol.asyncDispose]() {
      office[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The state that is left when all connections but those of the working office have ended. */
async function settled(server: ServerProcess): Promise<object> {
  const end = performance.now() + 60_000;
  for (;;) {
    const { connections, members, offices, inFlight } = await server.health();
    const left = { connections, members, offices };
    if (connections === 2 && members === 2 && offices === 1 && inFlight <= 1) return left;
    if (performance.now() > end) throw new Error(`Something was left behind: ${JSON.stringify({ ...left, inFlight })}`);
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}
