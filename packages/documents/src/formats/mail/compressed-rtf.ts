/** The text that every compressed RTF may refer to. */
const dictionary = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor ' +
    'MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
    '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const WINDOW_BYTES = 4096;
const HEADER_BYTES = 16;
const UNCOMPRESSED = 0x414c454d;

/** Unpacks the RTF of a mail. Two bytes unpack to 17 at most. */
export function unpackRtf(bytes: Buffer): Buffer {
  if (bytes.length < HEADER_BYTES) return Buffer.alloc(0);
  const packed = bytes.subarray(HEADER_BYTES);
  if (bytes.readUInt32LE(8) === UNCOMPRESSED) return packed;
  const window = Buffer.alloc(WINDOW_BYTES, ' ');
  dictionary.copy(window);
  const unpacked = Buffer.alloc(Math.min(bytes.readUInt32LE(4), packed.length * 9));
  let [end, filled] = [dictionary.length, 0];
  const write = (byte: number) => {
    window[end] = byte;
    end = (end + 1) % WINDOW_BYTES;
    unpacked[filled] = byte;
    filled += 1;
  };
  for (let at = 0; at < packed.length && filled < unpacked.length; ) {
    const flags = packed[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < packed.length; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        write(packed[at] ?? 0);
        at += 1;
        continue;
      }
      const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const from = reference >> 4;
      if (from === end) return unpacked.subarray(0, filled);
      for (let index = 0; index < (reference & 0xf) + 2; index += 1) write(window[(from + index) % WINDOW_BYTES] ?? 0);
    }
  }
  return unpacked.subarray(0, filled);
}
