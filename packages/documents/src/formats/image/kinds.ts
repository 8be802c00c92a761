import type { ByteReader } from './byte-reader.ts';
import { readHeif } from './heif.ts';
import { readJpeg } from './jpeg.ts';
import type { ImageParts } from './parts.ts';
import { readPng } from './png.ts';
import { readBmp, readGif, readWebp } from './simple.ts';
import type { TiffTags } from './tiff.ts';
import { readTiff } from './tiff-file.ts';

/** A format of pictures. */
export interface ImageKind {
  name: string;
  mimeType: string;
  /** True if text recognition reads it. */
  isRecognised?: boolean;
  read: (file: ByteReader) => Promise<ImageParts & { tags?: TiffTags }>;
}

const png: ImageKind = { name: 'PNG', mimeType: 'image/png', isRecognised: true, read: readPng };
const jpeg: ImageKind = { name: 'JPEG', mimeType: 'image/jpeg', isRecognised: true, read: readJpeg };
const gif: ImageKind = { name: 'GIF', mimeType: 'image/gif', isRecognised: true, read: readGif };
const webp: ImageKind = { name: 'WebP', mimeType: 'image/webp', isRecognised: true, read: readWebp };
const bmp: ImageKind = { name: 'BMP', mimeType: 'image/bmp', isRecognised: true, read: readBmp };
const tiff: ImageKind = { name: 'TIFF', mimeType: 'image/tiff', isRecognised: true, read: readTiff };
const heif: ImageKind = { name: 'HEIF', mimeType: 'image/heif', read: readHeif };
const avif: ImageKind = { name: 'AVIF', mimeType: 'image/avif', read: readHeif };

export const svgKind: ImageKind = {
  name: 'SVG',
  mimeType: 'image/svg+xml',
  read: async () => ({ texts: [] }),
};

/** The first bytes of each, as hexadecimal digits. */
const signatures: [RegExp, ImageKind][] = [
  [/^89504e470d0a1a0a/, png],
  [/^ffd8ff/, jpeg],
  [/^474946383[79]61/, gif],
  [/^52494646.{8}57454250/, webp],
  [/^424d/, bmp],
  [/^(?:49492a00|4d4d002a)/, tiff],
  // `ftyp`, and a brand.
  [/^.{8}6674797061766966|^.{8}6674797061766973/, avif],
  [/^.{8}66747970(?:68656963|68656978|6865766[3-8]|6d696631|6d736631)/, heif],
];

/** The format of a picture by its first bytes, whatever its name says. */
export function kindOf(head: Uint8Array): ImageKind | undefined {
  const digits = Buffer.from(head.subarray(0, 32)).toString('hex');
  return signatures.find(([signature]) => signature.test(digits))?.[1];
}
