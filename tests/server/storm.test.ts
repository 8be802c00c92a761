import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';

/** More than the 511 of Node, and no more than Linux allows by default. */
const CONNECTIONS = 1500;
const SYSTEM_LIMIT = '/proc/sys/net/core/somaxconn';
const isAllowed = existsSync(SYSTEM_LIMIT) && Number(readFileSync(SYSTEM_LIMIT, 'utf8')) > CONNECTIONS;

test.runIf(isAllowed)('a Server that is busy does not turn away the connections of a storm', async () => {
  const server = fork(join(root, 'tests/cluster/node-process.mjs'), [], { execArgv: [] });
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  server.kill('SIGSTOP');
  const { hostname: host, port } = new URL(url);
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), host).on('error', () => {}));
  try {
    const connected = () => sockets.filter(({ readyState }) => readyState === 'open').length;
    await eventually(() => expect(connected()).toBe(CONNECTIONS), 10_000);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.kill('SIGKILL');
  }
});
