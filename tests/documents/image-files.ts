import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** A PNG of one colour. Its header may claim another size than it has pixels for. */
export function png(
  width: number,
  height: number,
  chunks: readonly Buffer[] = [],
  claimed = { width, height },
): Buffer {
  const header = Buffer.concat([uint32(claimed.width), uint32(claimed.height), Buffer.from([8, 2, 0, 0, 0])]);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, 0xc0)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const parts = [pngChunk('IHDR', header), ...chunks, pngChunk('IDAT', pixels), pngChunk('IEND')];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** The header of a JPEG with segments before its frame; there are no pixels. */
export function jpeg(width: number, height: number, segments: readonly Buffer[] = []): Buffer {
  const frame = Buffer.concat([Buffer.from([8]), uint16(height), uint16(width), Buffer.from([1, 1, 0x11, 0])]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, segment(0xc0, frame), Buffer.from([0xff, 0xda, 0, 2])]);
}

/** A segment of a JPEG. */
export function segment(marker: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), uint16(data.length + 2), data]);
}

/** A tag of a TIFF structure: a text, a number, or another directory. */
export type Tag = [tag: number, value: string | number | Buffer | Tag[]];

/** A TIFF structure in the byte order of Motorola; `next` is where its last directory says that another is. */
export function tiff(tags: readonly Tag[], next = 0): Buffer {
  return Buffer.concat([Buffer.from('MM\0*', 'latin1'), uint32(8), directory(tags, 8, next)]);
}

function directory(tags: readonly Tag[], at: number, next: number): Buffer {
  const entries: Buffer[] = [];
  const values: Buffer[] = [];
  let free = at + 2 + 12 * tags.length + 4;
  for (const [tag, value] of tags) {
    if (typeof value === 'number') {
      entries.push(Buffer.concat([uint16(tag), uint16(4), uint32(1), uint32(value)]));
      continue;
    }
    const isNested = Array.isArray(value);
    const bytes = isNested ? directory(value, free, 0) : typeof value === 'string' ? Buffer.from(`${value}\0`) : value;
    const place =
      !isNested && bytes.length <= 4 ? Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]) : uint32(free);
    const type = isNested ? 4 : typeof value === 'string' ? 2 : 1;
    entries.push(Buffer.concat([uint16(tag), uint16(type), uint32(isNested ? 1 : bytes.length), place]));
    if (isNested || bytes.length > 4) {
      values.push(bytes);
      free += bytes.length;
    }
  }
  return Buffer.concat([uint16(tags.length), ...entries, uint32(next), ...values]);
}

/** A record of IPTC-IIM in a resource of Photoshop. */
export function iptc(records: readonly [field: number, text: string][]): Buffer {
  const bytes = Buffer.concat(
    records.map(([field, text]) => {
      const value = Buffer.from(text);
      return Buffer.concat([Buffer.from([0x1c, 2, field]), uint16(value.length), value]);
    }),
  );
  const padding = Buffer.alloc(bytes.length % 2);
  const resource = [Buffer.from('8BIM\x04\x04\0\0', 'latin1'), uint32(bytes.length), bytes, padding];
  return Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), ...resource]);
}

/** A packet of XMP with properties as elements. */
export function xmp(properties: string): string {
  const names = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"';
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  return (
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}>` +
    `<rdf:Description ${names}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>${' '.repeat(200)}<?xpacket end="w"?>`
  );
}

/** A box of ISO's media file format. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  return Buffer.concat([uint32(body.length + 4), body]);
}

/** The header of a photo as phones store it. */
export function heic(width: number, height: number, exif: Buffer): Buffer {
  const item = Buffer.concat([uint32(0), exif]);
  const build = (offset: number) => {
    const size = box('ispe', uint32(0), uint32(width), uint32(height));
    const named = box('infe', Buffer.from([2, 0, 0, 0]), uint16(7), uint16(0), Buffer.from('Exif\0', 'latin1'));
    const items = box('iinf', uint32(0), uint16(1), named);
    const place = Buffer.concat([uint16(7), uint16(0), uint16(1), uint32(offset), uint32(item.length)]);
    const places = box('iloc', uint32(0), Buffer.from([0x44, 0]), uint16(1), place);
    const metadata = box('meta', uint32(0), items, box('iprp', box('ipco', size)), places);
    return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1', 'latin1')), metadata]);
  };
  const head = build(0);
  return Buffer.concat([build(head.length + 8), box('mdat', item)]);
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
