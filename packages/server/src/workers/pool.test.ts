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

/** Each leaves a command that cannot be started, and returns a function that mends it. */
const faults: Record<string, (program: string[]) => () => void> = {
  'is not found': program => {
    const [command = ''] = program;
    renameSync(command, `${command}-away`);
    return () => renameSync(`${command}-away`, command);
  },
  // As for want of memory.
  'makes Node throw': program => {
    const [command = ''] = program;
    program[0] = 'no\0command';
    return () => {
      program[0] = command;
    };
  },
};

test.skipIf(process.platform === 'win32').for(Object.entries(faults))(
  'a worker whose program %s is tried again until it starts',
  { timeout: 60_000 },
  async ([, breakProgram]) => {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-pool-'));
    const program = [join(folder, 'node'), '-e', WORKER];
    symlinkSync(process.execPath, join(folder, 'node'));
    const lines: { message: string; fields: Fields | undefined }[] = [];
    const add = (message: string, fields?: Fields) => lines.push({ message, fields });
    const linesWith = (text: string) => lines.filter(({ message }) => message.includes(text));
    try {
      await using _ = await WorkerPool.open({
        ...{ program, env: process.env, count: 1, settings: {} },
        ...{ host: '127.0.0.1', port: 0, path: '/socket.io/', tls: false },
        ...{ connectionsPerAddress: 10, gracePeriod: 1000 },
        logger: { ...silentLogger, info: add, error: add },
      });
      const [ready] = linesWith('is ready');
      const mend = breakProgram(program);
      process.kill(Number(ready?.fields?.pid), 'SIGKILL');
      await eventually(() => expect(linesWith('could not be started').length).toBeGreaterThan(1));
      mend();
      await eventually(() => expect(linesWith('is ready')).toHaveLength(2));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
