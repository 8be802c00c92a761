import { isUtf8 } from 'node:buffer';
import { WHOLE_TEXT } from './batch.ts';
import { unmask } from './unmask.ts';

/** What takes messages. */
interface Taker {
  readonly readyState: number;
  receive(text: Buffer): void;
}

const OPEN = 1;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** The length of a frame whose real length is in the next two bytes. */
const TWO_BYTE_LENGTH = 126;

/**
 * Reads the frames of a client that are whole, short text messages, and hands on their texts. Returns where the first
 * byte is that it has not read: of a frame of another kind, of one that has not arrived in full or is not UTF-8.
 */
export function readFrames(chunk: Buffer, taker: Taker): number {
  let start = 0;
  while (start + 2 + MASK_BYTES <= chunk.length && chunk[start] === WHOLE_TEXT && taker.readyState === OPEN) {
    const second = chunk[start + 1] ?? 0;
    if (second < MASKED) break;
    let length = second - MASKED;
    let mask = start + 2;
    if (length === TWO_BYTE_LENGTH) {
      length = ((chunk[mask] ?? 0) << 8) | (chunk[mask + 1] ?? 0);
      mask += 2;
    } else if (length > TWO_BYTE_LENGTH) break;
    const end = mask + MASK_BYTES + length;
    if (end > chunk.length) break;
    const key = chunk.subarray(mask, mask + MASK_BYTES);
    const text = chunk.subarray(mask + MASK_BYTES, end);
    unmask(text, key);
    if (!isUtf8(text)) {
      unmask(text, key);
      break;
    }
    start = end;
    taker.receive(text);
  }
  return start;
}
