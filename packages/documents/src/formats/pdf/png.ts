import { crc32, deflateSync } from 'node:zlib';

/** Pixels of a picture, row by row: one bit of grey, or a byte each of red, green, blue and, with four channels, opacity. */
export interface Pixels {
  width: number;
  height: number;
  channels: 'bit' | 3 | 4;
  data: Uint8Array;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const COLOUR_TYPES = { bit: 0, 3: 2, 4: 6 } as const;

/** A picture as png. */
export function encodePng({ width, height, channels, data }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = channels === 'bit' ? 1 : 8;
  header[9] = COLOUR_TYPES[channels];
  const stride = strideOf(width, channels);
  // Each row begins with a byte for its filter: none.
  const rows = Buffer.alloc((stride + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(data.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 6 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...parts]);
}

/** A picture of half the width and height; four pixels become their mean. */
export function halve({ width, height, channels, data }: Pixels): Pixels {
  const [halfWidth, halfHeight] = [Math.max(width >> 1, 1), Math.max(height >> 1, 1)];
  const count = channels === 'bit' ? 3 : channels;
  const half = new Uint8Array(halfWidth * halfHeight * count);
  const stride = strideOf(width, channels);
  const at = (x: number, y: number, channel: number) => {
    if (channels !== 'bit') return data[y * stride + x * channels + channel] ?? 0;
    return ((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  };
  let index = 0;
  for (let y = 0; y < halfHeight; y += 1) {
    for (let x = 0; x < halfWidth; x += 1) {
      for (let channel = 0; channel < count; channel += 1, index += 1) {
        const [left, top] = [2 * x, 2 * y];
        const sum = at(left, top, channel) + at(left + 1, top, channel) + at(left, top + 1, channel);
        half[index] = (sum + at(left + 1, top + 1, channel)) >> 2;
      }
    }
  }
  return { width: halfWidth, height: halfHeight, channels: channels === 'bit' ? 3 : channels, data: half };
}

function strideOf(width: number, channels: Pixels['channels']): number {
  return channels === 'bit' ? Math.ceil(width / 8) : width * channels;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
