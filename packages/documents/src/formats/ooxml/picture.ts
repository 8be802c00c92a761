import type { Picture } from '@a2c-smcp/publish';
import type { FileVersion } from '../../file.ts';
import { Package } from './package.ts';

/** Larger pictures are not handed over: an answer of MCP has 8 MiB, in which a picture takes a third more than its size. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** The first bytes of the formats that models and browsers show. */
const signatures: [mimeType: string, begin: string][] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383'],
  ['image/webp', '52494646........57454250'],
];

/** A picture inside an archive; undefined if it is missing, too large, or of a format that few programs show. */
export async function readPicture(file: FileVersion, part: string): Promise<Picture | undefined> {
  await using zip = await Package.open(file);
  if (!zip.has(part) || zip.size(part) > MAX_PICTURE_BYTES) return undefined;
  const bytes = await zip.read(part);
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  const mimeType = signatures.find(([, signature]) => new RegExp(`^${signature}`).test(begin))?.[0];
  return mimeType === undefined ? undefined : { mimeType, bytes };
}
