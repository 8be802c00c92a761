import { createRequire } from 'node:module';

/** Applies a mask of four bytes to a message of a client, in place. Applied twice it changes nothing. */
export type Unmask = (message: Buffer, mask: Buffer) => void;

/** From this many bytes on a call of native code pays. */
const LONG_BYTES = 48;

const native = nativeUnmask();

export function unmask(message: Buffer, mask: Buffer): void {
  const apply = native && message.length >= LONG_BYTES ? native : unmaskShort;
  apply(message, mask);
}

function unmaskShort(message: Buffer, mask: Buffer): void {
  for (let index = 0; index < message.length; index++) {
    message[index] = (message[index] ?? 0) ^ (mask[index & 3] ?? 0);
  }
}

/** That of `bufferutil`, an optional dependency: not every machine can build it. */
function nativeUnmask(): Unmask | undefined {
  try {
    const { unmask } = createRequire(import.meta.url)('bufferutil') as { unmask?: Unmask };
    return unmask;
  } catch {
    return undefined;
  }
}
