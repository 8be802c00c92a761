import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Picture } from '@a2c-smcp/publish';
import { findCanvas } from '../canvas.ts';
import { withoutLongNotes } from './png.ts';

/** Pictures with more pixels are not unpacked, at four bytes for each. */
const MAX_PIXELS = 50_000_000;
export const MAX_SHRUNK_BYTES = 64 * 1024 * 1024;
/** Formats of photos. */
const formats = new Set(['image/jpeg', 'image/png', 'image/webp']);
const program = new URL('./shrink-program.js', import.meta.url);

/** True if a picture that is too large for an answer can be made smaller. */
export function canShrink(mimeType: string, bytes: number, pixels: number): boolean {
  const isSmall = bytes <= MAX_SHRUNK_BYTES && pixels <= MAX_PIXELS;
  return isSmall && formats.has(mimeType) && findCanvas() !== undefined;
}

/**
 * A picture with sides of 2,000 pixels at most; undefined if it cannot be read. Its size must have been checked with
 * `canShrink`. It is unpacked by a process of its own: the decoders are native code, which may crash or never end.
 */
export async function shrink(bytes: Buffer): Promise<Picture | undefined> {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const child = spawn(process.execPath, [fileURLToPath(program)], { stdio: ['pipe', 'pipe', 'ignore'], env });
  // It may end before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(withoutLongNotes(bytes));
  const [drawn, [code]] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
  return code === 0 ? { mimeType: 'image/jpeg', bytes: drawn } : undefined;
}
