import { type FileLocation, FileSource, UnreadableError } from '../../file.ts';

/** Text files up to this size are parsed in memory; longer ones are paged as plain lines. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** Reads a text file: UTF-8, UTF-16 with a mark, or else Windows-1252, which every byte sequence is. */
export async function readText(location: FileLocation): Promise<string> {
  await using source = await FileSource.open(location);
  const size = await source.size();
  if (size > MAX_TEXT_BYTES) throw new UnreadableError('The file is too large to be read at once');
  return decodeText(await source.read(0, size));
}

/** Decodes bytes the way `readText` does. */
export function decodeText(bytes: Uint8Array): string {
  return createDecoder(detectEncoding(bytes))(bytes).replaceAll('\r\n', '\n');
}

/** The encodings that are detected. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The encoding that the first bytes of a file show. A character cut off at their end does not count. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The characters of the bytes from 0x80 to 0x9f, which Node 20 leaves as the control characters of Latin-1. */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes bytes in one piece, or, with `stream`, piece by piece. */
export function createDecoder(encoding: Encoding): (bytes: Uint8Array, options?: { stream: boolean }) => string {
  const decoder = new TextDecoder(encoding);
  if (encoding !== 'windows-1252') return (bytes, options) => decoder.decode(bytes, options);
  return bytes =>
    decoder.decode(bytes).replace(/[\u0080-\u009f]/g, control => upper[control.charCodeAt(0) - 0x80] ?? control);
}
