import type { Picture } from '@a2c-smcp/publish';

/** Larger pictures are not handed over: an answer of MCP has 8 MiB, in which a picture takes a third more than its size. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** The first bytes of the formats that models and browsers show. */
const signatures: [mimeType: string, begin: string][] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383'],
  ['image/webp', '52494646........57454250'],
];

/** A picture by its bytes; undefined if it is too large or of a format that few programs show. */
export function toPicture(bytes: Uint8Array): Picture | undefined {
  if (bytes.length > MAX_PICTURE_BYTES) return undefined;
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  const mimeType = signatures.find(([, signature]) => new RegExp(`^${signature}`).test(begin))?.[0];
  return mimeType === undefined ? undefined : { mimeType, bytes };
}
