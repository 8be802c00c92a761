import { open } from 'node:fs/promises';
import { UnreadableError } from './reader.ts';

/** Text files up to this size are parsed in memory; longer ones are paged as plain lines. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** Reads a text file: UTF-8, UTF-16 with a mark, or else Windows-1252, which every byte sequence is. */
export async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_TEXT_BYTES) throw new UnreadableError('The file is too large to be read at once');
    return decodeText(await file.readFile());
  } finally {
    await file.close();
  }
}

/** Decodes bytes the way `readText` does. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes).replaceAll('\r\n', '\n');
}

/** The encoding that the first bytes of a file show. A character cut off at their end does not count. */
export function detectEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
