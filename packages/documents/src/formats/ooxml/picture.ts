import { MAX_PICTURE_BYTES, toPicture } from '../picture.ts';
import type { PictureReader } from '../reader.ts';
import { Package } from './package.ts';

/** A picture by the name of its part in the archive. */
export const readPart: PictureReader = async (file, part) => {
  await using zip = await Package.open(file);
  return zip.has(part) && zip.size(part) <= MAX_PICTURE_BYTES ? toPicture(await zip.read(part)) : undefined;
};
