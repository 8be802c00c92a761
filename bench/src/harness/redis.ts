import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface Redis extends AsyncDisposable {
  url: string;
  pid: number | undefined;
}

/** Starts a Redis of our own on a free port, without anything on disk. */
export async function startRedis(): Promise<Redis> {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = () => redis.kill('SIGKILL');
  process.once('exit', kill);
  for await (const chunk of redis.stdout) if (String(chunk).includes('Ready to accept connections')) break;
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: redis.pid,
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      const exited = once(redis, 'exit');
      kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
}
