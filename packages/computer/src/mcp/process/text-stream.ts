import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';

/** Bytes that are invalid in the encoding fail, are dropped, or become U+FFFD. */
export type EncodingErrorHandler = 'strict' | 'ignore' | 'replace';

/** Turns JSON into bytes and bytes into text, in the encoding that an MCP server's configuration names. */
export interface TextCodec {
  encode(json: string): Buffer;
  /** Text of the bytes so far that form whole characters. Throws on a wrong one when errors are strict. */
  decode(bytes: Buffer): string;
}

/** A codec with its own decoding state, for one stream. Throws a `RangeError` for an unknown encoding. */
export function createTextCodec(encoding: string, errors: EncodingErrorHandler): TextCodec {
  const decoder = new TextDecoder(encoding, { fatal: errors === 'strict' });
  /** True if the next byte starts a character that is not a byte order mark. */
  let isBetweenCharacters = false;
  return {
    encode: encoderFor(decoder.encoding),
    decode(bytes) {
      // Most messages are ASCII, which is read much faster.
      if (isBetweenCharacters && isAscii(bytes)) return bytes.toString('latin1');
      isBetweenCharacters = decoder.encoding === 'utf-8' && (bytes.at(-1) ?? 0x80) < 0x80;
      const text = decoder.decode(bytes, { stream: true });
      return errors === 'ignore' ? text.replaceAll('\uFFFD', '') : text;
    },
  };
}

function encoderFor(encoding: string): TextCodec['encode'] {
  if (encoding === 'utf-8') return json => Buffer.from(json, 'utf8');
  if (encoding === 'utf-16le') return json => Buffer.from(json, 'utf16le');
  // JSON in ASCII is the same bytes in every other encoding, and its escapes cover all characters.
  return json => Buffer.from(json.replace(/[\u0080-\uffff]/g, escapeUnit), 'latin1');
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Limits of one stream within a turn of the event loop, so that a flood on it leaves time for everything else. */
const TURN_MS = 5;
const TURN_STEPS = 500;

/**
 * Reads a stream in steps, in order. A chunk whose steps fit into a turn is done within its event. Otherwise the stream
 * is paused and the rest follows in later turns, so that a writer that is too fast has to wait.
 */
export function readPaced(stream: Readable, read: (chunk: Buffer) => Iterator<void>): void {
  /** Chunks that came all the same: Node resumes the streams of a process that has exited. */
  const waiting: Buffer[] = [];
  let work: Iterator<void> | undefined;
  let isTurn = false;
  let turnEnd = 0;
  let steps = 0;

  const endTurn = () => {
    isTurn = false;
    if (work) run();
    if (!work && stream.isPaused()) stream.resume();
  };
  const run = () => {
    if (!isTurn) {
      isTurn = true;
      turnEnd = performance.now() + TURN_MS;
      steps = 0;
      setImmediate(endTurn);
    }
    while (work) {
      if (steps > 0 && (steps >= TURN_STEPS || performance.now() > turnEnd)) {
        stream.pause();
        return;
      }
      steps += 1;
      if (work.next().done) work = nextOf(waiting, read);
    }
  };

  stream.on('data', (chunk: Buffer) => {
    if (work) {
      waiting.push(chunk);
      stream.pause();
      return;
    }
    work = read(chunk);
    run();
  });
}

function nextOf(waiting: Buffer[], read: (chunk: Buffer) => Iterator<void>): Iterator<void> | undefined {
  const chunk = waiting.shift();
  return chunk && read(chunk);
}
