import { decodeText } from '../text/encoding.ts';
import type { ByteReader } from './byte-reader.ts';
import { type ImageParts, MAX_TEXT_LENGTH, MAX_TEXTS } from './parts.ts';

const GIF_HEAD_BYTES = 64 * 1024;
const GIF_HEADER_BYTES = 13;
const MAX_CHUNKS = 500;

/** The size of a GIF, and the comments before its first picture. */
export async function readGif(file: ByteReader): Promise<ImageParts> {
  const head = await file.read(0, GIF_HEAD_BYTES);
  if (head.length < GIF_HEADER_BYTES) return { texts: [] };
  const parts: ImageParts = { width: head.readUInt16LE(6), height: head.readUInt16LE(8), texts: [] };
  const flags = head[10] ?? 0;
  let at = GIF_HEADER_BYTES + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  // Extensions are blocks of up to 255 bytes, ended by an empty one.
  while (head[at] === 0x21 && parts.texts.length < MAX_TEXTS) {
    const isComment = head[at + 1] === 0xfe;
    const blocks: Buffer[] = [];
    at += 2;
    for (let length = head[at] ?? 0; length > 0; length = head[at] ?? 0) {
      blocks.push(head.subarray(at + 1, at + 1 + length));
      at += 1 + length;
    }
    if (isComment) parts.texts.push(['', decodeText(Buffer.concat(blocks)).slice(0, MAX_TEXT_LENGTH)]);
    at += 1;
  }
  return parts;
}

/** The size of a BMP. A negative height is that of one that is stored from its top. */
export async function readBmp(file: ByteReader): Promise<ImageParts> {
  const head = await file.read(0, 26);
  if (head.length < 26) return { texts: [] };
  const isOld = head.readUInt32LE(14) === 12;
  const width = isOld ? head.readUInt16LE(18) : head.readInt32LE(18);
  const height = isOld ? head.readUInt16LE(20) : head.readInt32LE(22);
  return { width: Math.abs(width), height: Math.abs(height), texts: [] };
}

/** The chunks of a WebP: its size, and metadata after its pixels. */
export async function readWebp(file: ByteReader): Promise<ImageParts> {
  const parts: ImageParts = { texts: [] };
  let at = 12;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await file.read(at, 8);
    if (head.length < 8) break;
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    if (type === 'EXIF') parts.exif ??= withoutPrefix(await file.read(at + 8, length));
    else if (type === 'XMP ') parts.xmp ??= await file.read(at + 8, length);
    else if (parts.width === undefined) Object.assign(parts, webpSize(type, await file.read(at + 8, 10)));
    at += 8 + length + (length % 2);
  }
  return parts;
}

/** Some programs write the prefix that Exif has in a JPEG. */
function withoutPrefix(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif;
}

/** Each of the three ways to store pixels has its size in other bits. */
function webpSize(type: string, data: Buffer): Pick<ImageParts, 'width' | 'height'> {
  if (data.length < 10) return {};
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (type === 'VP8 ') return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  if (type !== 'VP8L') return {};
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
