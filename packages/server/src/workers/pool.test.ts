import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@a2c-smcp/core';
import { expect, test } from 'vitest';
import { eventually } from '../../../../tests/eventually.ts';
import { WorkerPool } from './pool.ts';

type Fields = Record<string, unknown>;

/** Reports that it is ready, and exits on the message `stop`. */
const WORKER = `process.on('message', ({ type }) => {
  if (type === 'begin') process.send({ type: 'ready', node: String(process.pid) });
  if (type === 'stop') process.exit();
})`;

test.skipIf(process.platform === 'win32')(
  'a worker whose process cannot be started is tried again until it can',
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-pool-'));
    const [program, elsewhere] = [join(folder, 'node'), join(folder, 'away')];
    symlinkSync(process.execPath, program);
    const lines: { message: string; fields: Fields | undefined }[] = [];
    const add = (message: string, fields?: Fields) => lines.push({ message, fields });
    const linesWith = (text: string) => lines.filter(({ message }) => message.includes(text));
    try {
      await using _ = await WorkerPool.open({
        ...{ program: [program, '-e', WORKER], env: process.env, count: 1, settings: {} },
        ...{ host: '127.0.0.1', port: 0, path: '/socket.io/', tls: false },
        ...{ connectionsPerAddress: 10, gracePeriod: 1000 },
        logger: { ...silentLogger, info: add, error: add },
      });
      const [ready] = linesWith('is ready');
      renameSync(program, elsewhere);
      process.kill(Number(ready?.fields?.pid), 'SIGKILL');
      await eventually(() => expect(linesWith('could not be started')).not.toHaveLength(0));
      renameSync(elsewhere, program);
      await eventually(() => expect(linesWith('is ready')).toHaveLength(2));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
