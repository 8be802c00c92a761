import type { Element } from '@a2c-smcp/publish/content';
import { MAX_PICTURE_BYTES, toPicture } from '../picture.ts';
import type { PictureReader } from '../reader.ts';
import { Package } from './package.ts';

/** A picture by the name of its part in the archive. */
export const readPart: PictureReader = async (file, part) => {
  await using zip = await Package.open(file);
  return zip.has(part) && zip.size(part) <= MAX_PICTURE_BYTES ? toPicture(await zip.read(part)) : undefined;
};

/** Adds the sums of the parts that hold pictures, so that a page is another one when its pictures are. */
export function withSums(zip: Package, elements: readonly Element[]): Element[] {
  return elements.map(element => {
    const { category, metadata } = element;
    const sum = category === 'image' && typeof metadata?.part === 'string' ? zip.sum(metadata.part) : undefined;
    return sum === undefined ? element : { ...element, metadata: { ...metadata, crc32: sum } };
  });
}
