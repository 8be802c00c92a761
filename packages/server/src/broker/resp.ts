const CRLF = '\r\n';
const [ARRAY = 0, BULK = 0, CR = 0, LF = 0] = Buffer.from('*$\r\n');
/** Digits of a length or a number of arguments. */
const MAX_DIGITS = 10;

/** A reply as RESP 2 has it. */
export type Reply = string | Buffer | number | null | Reply[] | { error: string } | { status: string };

/** Reads the commands that arrive on one connection: arrays of bulk strings, in chunks of any size. */
export class CommandReader {
  readonly #onCommand: (args: Buffer[]) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that must have arrived before another attempt is worth it: a large message comes in many chunks. */
  #needed = 0;

  constructor(onCommand: (args: Buffer[]) => void) {
    this.#onCommand = onCommand;
  }

  /** Throws a `SyntaxError` for anything else. */
  read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    let start = 0;
    let command = readCommand(bytes, start);
    while (typeof command === 'object') {
      this.#onCommand(command.args);
      start = command.end;
      command = readCommand(bytes, start);
    }
    const rest = bytes.subarray(start);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#needed = command - start;
  }
}

/** The command at `start`, or the place up to which bytes are needed. */
function readCommand(bytes: Buffer, start: number): { args: Buffer[]; end: number } | number {
  if (start === bytes.length) return start + 1;
  const count = readLength(bytes, start, ARRAY);
  if (!count) return bytes.length + 1;
  const args: Buffer[] = [];
  let place = count.end;
  for (let index = 0; index < count.value; index++) {
    const length = place < bytes.length ? readLength(bytes, place, BULK) : undefined;
    if (!length) return bytes.length + 1;
    const end = length.end + length.value;
    if (end + CRLF.length > bytes.length) return end + CRLF.length;
    args.push(bytes.subarray(length.end, end));
    place = end + CRLF.length;
  }
  return { args, end: place };
}

/** A number behind a type, up to the end of the line. Undefined while the line is incomplete. */
function readLength(bytes: Buffer, start: number, type: number): { value: number; end: number } | undefined {
  if (bytes[start] !== type) throw new SyntaxError('This is no command');
  const end = bytes.indexOf(LF, start);
  if (end === -1 && bytes.length - start <= MAX_DIGITS + CRLF.length) return undefined;
  const digits = bytes.toString('latin1', start + 1, end === -1 ? bytes.length : end - 1);
  if (bytes[end - 1] !== CR || !/^\d{1,10}$/.test(digits)) throw new SyntaxError('This is no length');
  return { value: Number(digits), end: end + 1 };
}

/** Writes a reply as the chunks of a connection: large texts are not copied. */
export function writeReply(reply: Reply, write: (chunk: string | Buffer) => void): void {
  if (reply === null) write(`$-1${CRLF}`);
  else if (typeof reply === 'number') write(`:${reply}${CRLF}`);
  else if (typeof reply === 'string') write(`$${Buffer.byteLength(reply)}${CRLF}${reply}${CRLF}`);
  else if (Buffer.isBuffer(reply)) {
    write(`$${reply.length}${CRLF}`);
    write(reply);
    write(CRLF);
  } else if (Array.isArray(reply)) {
    write(`*${reply.length}${CRLF}`);
    for (const part of reply) writeReply(part, write);
  } else if ('error' in reply) write(`-${reply.error}${CRLF}`);
  else write(`+${reply.status}${CRLF}`);
}
