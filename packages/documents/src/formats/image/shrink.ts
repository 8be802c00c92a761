import type { Picture } from '@a2c-smcp/publish';
import { drawPicture, findCanvas, MAX_SIDE_PIXELS } from '../canvas.ts';

/** Pictures with more pixels are not unpacked, at four bytes for each. */
const MAX_PIXELS = 50_000_000;
export const MAX_SHRUNK_BYTES = 64 * 1024 * 1024;
/** Formats of photos, whose decoders every browser has tried. */
const formats = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** True if a picture that is too large for an answer can be made smaller. */
export function canShrink(mimeType: string, bytes: number, pixels: number): boolean {
  const isSmall = bytes <= MAX_SHRUNK_BYTES && pixels <= MAX_PIXELS;
  return isSmall && formats.has(mimeType) && findCanvas() !== undefined;
}

/** A picture with sides of 2,000 pixels at most. Its size must have been checked with `canShrink`. */
export async function shrink(bytes: Uint8Array): Promise<Picture | undefined> {
  const library = findCanvas();
  if (library === undefined) return undefined;
  const image = await library.loadImage(bytes);
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(image.width, image.height, 1));
  const wanted = { width: image.width * scale, height: image.height * scale };
  return drawPicture(library, wanted, (context, { width, height }) => {
    context.drawImage(image, 0, 0, width, height);
  });
}
