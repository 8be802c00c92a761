import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

/** The machine that the figures depend on. */
export interface Machine {
  node: string;
  socketIo: string;
  processor: string;
  cores: number;
  gibibytes: number;
}

export function machine(): Machine {
  const { version } = createRequire(import.meta.url)('socket.io/package.json') as { version: string };
  const [{ model } = { model: 'unknown' }, ...others] = cpus();
  return {
    node: process.version,
    socketIo: version,
    processor: model.trim(),
    cores: others.length + 1,
    gibibytes: Math.round(totalmem() / 2 ** 30),
  };
}
