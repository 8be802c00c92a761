import { decodeText } from '../text/encoding.ts';
import type { ByteReader } from './byte-reader.ts';
import { type ImageParts, MAX_TEXT_LENGTH, MAX_TEXTS } from './parts.ts';

const MAX_SEGMENTS = 1000;
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const PHOTOSHOP = Buffer.from('Photoshop 3.0\0', 'latin1');
/** The number of Photoshop's resource with the records of IPTC. */
const IPTC_RESOURCE = 0x0404;

const START_OF_SCAN = 0xda;
const END = 0xd9;
const COMMENT = 0xfe;
const APP1 = 0xe1;
const APP13 = 0xed;

/** The segments of a JPEG before its pixels. */
export async function readJpeg(file: ByteReader): Promise<ImageParts> {
  const parts: ImageParts = { texts: [] };
  let at = 2;
  for (let count = 0; count < MAX_SEGMENTS; count += 1) {
    const head = await file.read(at, 4);
    if (head.length < 4 || head[0] !== 0xff) return parts;
    const marker = head[1] ?? 0;
    // Any number of these bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN || marker === END) return parts;
    const length = head.readUInt16BE(2);
    if (length < 2) return parts;
    await readSegment(marker, () => file.read(at + 4, length - 2), parts);
    at += length + 2;
  }
  return parts;
}

async function readSegment(marker: number, read: () => Promise<Buffer>, parts: ImageParts): Promise<void> {
  if (isFrame(marker)) {
    const frame = await read();
    if (frame.length >= 5) [parts.height, parts.width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  } else if (marker === COMMENT && parts.texts.length < MAX_TEXTS) {
    parts.texts.push(['', decodeText(await read()).slice(0, MAX_TEXT_LENGTH)]);
  } else if (marker === APP1) {
    const segment = await read();
    if (startsWith(segment, EXIF)) parts.exif ??= segment.subarray(EXIF.length);
    if (startsWith(segment, XMP)) parts.xmp ??= segment.subarray(XMP.length);
  } else if (marker === APP13) {
    const segment = await read();
    if (startsWith(segment, PHOTOSHOP)) parts.iptc ??= findIptc(segment.subarray(PHOTOSHOP.length));
  }
}

/** The header of a frame, of any of the ways to code one. Tables and arithmetic conditioning lie between their numbers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Resources of Photoshop: `8BIM`, a number, a name, a length and bytes, each padded to an even length. */
export function findIptc(resources: Buffer): Buffer | undefined {
  for (let at = 0; at + 12 <= resources.length && resources.toString('latin1', at, at + 4) === '8BIM'; ) {
    const nameLength = resources[at + 6] ?? 0;
    const lengthAt = at + 6 + even(nameLength + 1);
    if (lengthAt + 4 > resources.length) return undefined;
    const length = resources.readUInt32BE(lengthAt);
    if (resources.readUInt16BE(at + 4) === IPTC_RESOURCE)
      return resources.subarray(lengthAt + 4, lengthAt + 4 + length);
    at = lengthAt + 4 + even(length);
  }
  return undefined;
}

function even(length: number): number {
  return length + (length % 2);
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}
