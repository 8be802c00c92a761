import { inflateSync } from 'node:zlib';
import type { ByteReader } from './byte-reader.ts';
import { type ImageParts, MAX_TEXT_LENGTH, MAX_TEXTS } from './parts.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The length and the type before a chunk and the sum behind it. */
const FRAME_BYTES = 12;
/** Bytes that a packed text may unpack to. */
const MAX_UNPACKED_BYTES = 256 * 1024;
const XMP_KEYWORD = 'XML:com.adobe.xmp';

/** The chunks of a PNG with its size, its texts and its metadata. Pixels are skipped. */
export async function readPng(file: ByteReader): Promise<ImageParts> {
  const parts: ImageParts = { texts: [] };
  for (let at = SIGNATURE.length; ; ) {
    const head = await file.read(at, 8);
    if (head.length < 8) return parts;
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
    if (type === 'IEND') return parts;
    await readChunk(type, () => file.read(at + 8, length), parts);
    at += length + FRAME_BYTES;
  }
}

/** Bytes of a chunk of colours at most. */
const MAX_NOTE_BYTES = 64 * 1024;

/**
 * A PNG without long chunks that hold no pixels, as drawing programs add them: decoders take time by the square of their
 * length. Other pictures stay as they are.
 */
export function withoutLongNotes(picture: Buffer): Buffer {
  if (!picture.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return picture;
  const kept: Buffer[] = [SIGNATURE];
  for (let at = SIGNATURE.length; at + FRAME_BYTES <= picture.length; ) {
    const end = at + picture.readUInt32BE(at) + FRAME_BYTES;
    const isNote = picture.toString('latin1', at + 4, at + 8) !== 'IDAT';
    if (!isNote || end - at <= MAX_NOTE_BYTES) kept.push(picture.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

async function readChunk(type: string, read: () => Promise<Buffer>, parts: ImageParts): Promise<void> {
  if (type === 'IHDR') {
    const header = await read();
    if (header.length >= 8) [parts.width, parts.height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  } else if (type === 'eXIf') parts.exif ??= await read();
  else if (['tEXt', 'zTXt', 'iTXt'].includes(type) && parts.texts.length < MAX_TEXTS) {
    const text = readText(type, await read());
    if (text === undefined) return;
    if (text.name === XMP_KEYWORD) parts.xmp ??= text.bytes;
    else parts.texts.push([text.name, decode(text).slice(0, MAX_TEXT_LENGTH)]);
  }
}

interface PngText {
  name: string;
  bytes: Buffer;
  encoding: 'latin1' | 'utf8';
}

/** A keyword, ended by a NUL, and a text: as it is, packed, or with a language before it. */
function readText(type: string, chunk: Buffer): PngText | undefined {
  const end = chunk.indexOf(0);
  if (end < 1) return undefined;
  const name = chunk.toString('latin1', 0, end);
  if (type === 'tEXt') return { name, bytes: chunk.subarray(end + 1), encoding: 'latin1' };
  if (type === 'zTXt') return unpacked({ name, bytes: chunk.subarray(end + 2), encoding: 'latin1' });
  const language = chunk.indexOf(0, end + 3);
  const translated = language < 0 ? -1 : chunk.indexOf(0, language + 1);
  if (translated < 0) return undefined;
  const text: PngText = { name, bytes: chunk.subarray(translated + 1), encoding: 'utf8' };
  return chunk[end + 1] === 1 ? unpacked(text) : text;
}

function unpacked(text: PngText): PngText | undefined {
  try {
    return { ...text, bytes: inflateSync(text.bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) };
  } catch {
    return undefined;
  }
}

function decode({ bytes, encoding }: PngText): string {
  return bytes.toString(encoding);
}
