import type { ByteReader } from './byte-reader.ts';
import type { ImageParts } from './parts.ts';

const MAX_BOXES = 2000;
/** Boxes inside which others are looked for, and the bytes before the first of them. */
const containers: Record<string, number> = { meta: 4, iprp: 0, ipco: 0, iinf: 0 };

/** A box of ISO's media file format: its type and the place of its contents. */
interface Box {
  type: string;
  at: number;
  end: number;
}

/** HEIF and AVIF, as phones store photos: the size of the largest picture, and the Exif of the file. */
export async function readHeif(file: ByteReader): Promise<ImageParts> {
  const parts: ImageParts = { texts: [] };
  const boxes = await allBoxes(file);
  for (const { at, end } of boxes.filter(({ type }) => type === 'ispe')) {
    const size = await file.read(at + 4, Math.min(8, end - at - 4));
    if (size.length < 8) continue;
    const [width, height] = [size.readUInt32BE(0), size.readUInt32BE(4)];
    if (width * height > (parts.width ?? 0) * (parts.height ?? 0)) Object.assign(parts, { width, height });
  }
  const exif = await findExif(file, boxes);
  return exif === undefined ? parts : { ...parts, exif };
}

/** The boxes of the file and those inside its containers of metadata. */
async function allBoxes(file: ByteReader): Promise<Box[]> {
  const found: Box[] = [];
  const pending: [at: number, end: number][] = [[0, file.size]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [start, end] = range;
    for (let at = start; at + 8 <= end && found.length < MAX_BOXES; ) {
      const head = await file.read(at, 16);
      if (head.length < 8) break;
      const short = head.readUInt32BE(0);
      const isLong = short === 1 && head.length === 16;
      const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
      const header = isLong ? 16 : 8;
      if (size < header) break;
      const box = { type: head.toString('latin1', 4, 8), at: at + header, end: Math.min(at + size, end) };
      found.push(box);
      const skipped = box.type === 'iinf' ? await entryOffset(file, box) : containers[box.type];
      if (skipped !== undefined) pending.push([box.at + skipped, box.end]);
      at += size;
    }
  }
  return found;
}

/** The list of items begins with a version and their number, which has two or four bytes. */
async function entryOffset(file: ByteReader, { at }: Box): Promise<number> {
  const [version = 0] = await file.read(at, 1);
  return version === 0 ? 6 : 8;
}

/** The item of type `Exif`, and where its bytes lie: within the file, in one piece. */
async function findExif(file: ByteReader, boxes: readonly Box[]): Promise<Buffer | undefined> {
  let item: number | undefined;
  for (const { at } of boxes.filter(({ type }) => type === 'infe')) {
    const head = await file.read(at, 14);
    const isWide = head[0] === 3;
    if (head.length < 14) continue;
    if (head.toString('latin1', isWide ? 10 : 8, isWide ? 14 : 12) === 'Exif')
      item = isWide ? head.readUInt32BE(4) : head.readUInt16BE(4);
  }
  const box = boxes.find(({ type }) => type === 'iloc');
  if (item === undefined || box === undefined) return undefined;
  const place = locate(await file.read(box.at, box.end - box.at), item);
  if (place === undefined) return undefined;
  const bytes = await file.read(place.at, place.length);
  // Its first number is the distance to the TIFF header.
  return bytes.length < 8 ? undefined : bytes.subarray(4 + bytes.readUInt32BE(0));
}

/** The first extent of an item in the box of locations, whose numbers have the lengths that its header says. */
function locate(iloc: Buffer, wanted: number): { at: number; length: number } | undefined {
  try {
    const version = iloc.readUInt8(0);
    const [offsetBytes, lengthBytes] = [iloc.readUInt8(4) >> 4, iloc.readUInt8(4) & 15];
    const [baseBytes, indexBytes] = [iloc.readUInt8(5) >> 4, version > 0 ? iloc.readUInt8(5) & 15 : 0];
    const idBytes = version === 2 ? 4 : 2;
    let at = 6;
    const next = (bytes: number) => {
      const value = bytes === 0 ? 0 : bytes === 8 ? Number(iloc.readBigUInt64BE(at)) : iloc.readUIntBE(at, bytes);
      at += bytes;
      return value;
    };
    const items = Math.min(next(idBytes), MAX_BOXES);
    for (let index = 0; index < items; index += 1) {
      const id = next(idBytes);
      const method = version > 0 ? next(2) & 15 : 0;
      next(2);
      const base = next(baseBytes);
      const extents = Math.min(next(2), MAX_BOXES);
      for (let extent = 0; extent < extents; extent += 1) {
        next(indexBytes);
        const [offset, length] = [next(offsetBytes), next(lengthBytes)];
        if (id === wanted) return method === 0 ? { at: base + offset, length } : undefined;
      }
    }
  } catch {
    // The box ends before its last number.
  }
  return undefined;
}
