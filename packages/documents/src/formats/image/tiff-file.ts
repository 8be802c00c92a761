import type { ByteReader } from './byte-reader.ts';
import { exifTags } from './exif.ts';
import type { ImageParts } from './parts.ts';
import { Tiff, type TiffTags } from './tiff.ts';

const WIDTH = 0x0100;
const HEIGHT = 0x0101;
const XMP = 700;
const IPTC = 33723;

/** A file of the format: its tags are read again as those of Exif. */
export async function readTiff(file: ByteReader): Promise<ImageParts & { tags?: TiffTags }> {
  const tiff = await Tiff.read(file, new Set([...exifTags, WIDTH, HEIGHT, XMP, IPTC]));
  if (tiff === undefined) return { texts: [] };
  const { tags, directories } = tiff;
  const [width, height] = [tags.get(WIDTH)?.number, tags.get(HEIGHT)?.number];
  const [xmp, iptc] = [tags.get(XMP)?.bytes, tags.get(IPTC)?.bytes];
  return {
    tags,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(directories > 1 && { pictures: directories }),
    ...(xmp && { xmp }),
    ...(iptc && { iptc }),
    texts: [],
  };
}
