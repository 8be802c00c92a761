/** A picture as its first bytes describe it. */
export interface PictureFormat {
  mimeType: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** The format and size of a png, jpeg, gif or webp; undefined for anything else, and if it does not say its size. */
export function pictureFormat(bytes: Buffer): PictureFormat | undefined {
  const head = bytes.toString('latin1', 0, 16);
  if (bytes.length < 30) return undefined;
  if (head.startsWith('\x89PNG\r\n\x1a\n') && head.endsWith('IHDR'))
    return { mimeType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (/^GIF8[79]a/.test(head))
    return { mimeType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(head)) return webpFormat(bytes);
  return head.startsWith('\xff\xd8\xff') ? jpegFormat(bytes) : undefined;
}

function webpFormat(bytes: Buffer): PictureFormat {
  const mimeType = 'image/webp';
  const kind = bytes.toString('latin1', 15, 16);
  if (kind === 'X') return { mimeType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === ' ')
    return { mimeType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const bits = bytes.readUInt32LE(21);
  return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Walks the segments up to the header of the frame. */
function jpegFormat(bytes: Buffer): PictureFormat | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mimeType: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
