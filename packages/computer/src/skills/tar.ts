/** A member of an archive. Its bytes must be read before the next one is asked for. */
export interface TarMember {
  path: string;
  type: 'file' | 'folder' | 'other';
  /** True if its owner may run it. */
  isExecutable: boolean;
  bytes(): AsyncIterable<Uint8Array>;
}

const BLOCK = 512;
/** Bytes of a header that holds a long name. */
const MAX_EXTENSION_BYTES = 64 * 1024;

/** Reads a tar file of any common dialect: ustar, and the long names of POSIX and of GNU. Throws when it is damaged. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const input = new BlockReader(stream);
  let longPath: string | undefined;
  for (;;) {
    const header = await input.take(BLOCK);
    if (header.byteLength === 0 || header.every(byte => byte === 0)) return;
    if (header.byteLength < BLOCK || !hasRightSum(header)) throw new Error('The tar file is damaged');
    const size = numberIn(header, 124, 12);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x' || type === 'L' || type === 'g' || type === 'K') {
      if (size > MAX_EXTENSION_BYTES) throw new Error('The tar file has a header that is too long');
      const extension = Buffer.from(await input.take(size)).toString('utf8');
      await input.take(padding(size));
      if (type === 'L') longPath = extension.replace(/\0.*$/s, '');
      if (type === 'x') longPath = paxPath(extension) ?? longPath;
      continue;
    }
    const member = new Member(input, size);
    yield {
      path: longPath ?? pathIn(header),
      type: type === '0' || type === '\0' ? 'file' : type === '5' ? 'folder' : 'other',
      isExecutable: (numberIn(header, 100, 8) & 0o100) !== 0,
      bytes: () => member.bytes(),
    };
    longPath = undefined;
    await member.skip();
    await input.take(padding(size));
  }
}

/** The bytes of a member, each once. */
class Member {
  readonly #input: BlockReader;
  #left: number;

  constructor(input: BlockReader, size: number) {
    this.#input = input;
    this.#left = size;
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const part = await this.#input.takeSome(this.#left);
      if (part.byteLength === 0) throw new Error('The tar file ends too early');
      this.#left -= part.byteLength;
      yield part;
    }
  }

  async skip(): Promise<void> {
    for await (const _ of this.bytes());
  }
}

/** Takes bytes from a stream in the numbers that are asked for. */
class BlockReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** Fewer than `length` bytes only at the end. */
  async take(length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      const part = await this.takeSome(missing);
      if (part.byteLength === 0) break;
      parts.push(part);
      missing -= part.byteLength;
    }
    return parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts);
  }

  /** From one byte to `max`; none at the end. */
  async takeSome(max: number): Promise<Uint8Array> {
    while (this.#rest.byteLength === 0) {
      const { done, value } = await this.#iterator.next();
      if (done) return new Uint8Array();
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(part.byteLength);
    return part;
  }
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function pathIn(header: Uint8Array): string {
  const name = textIn(header, 0, 100);
  const prefix = textIn(header, 257, 5) === 'ustar' ? textIn(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The path in records of `length key=value`. */
function paxPath(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
}

function textIn(header: Uint8Array, start: number, length: number): string {
  const bytes = header.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8');
}

/** Octal digits; the binary form of GNU is for sizes that no limit of ours allows. */
function numberIn(header: Uint8Array, start: number, length: number): number {
  const digits = textIn(header, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new Error('The tar file has a number that cannot be read');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** The sum of all bytes, with spaces in its own place. */
function hasRightSum(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return sum === numberIn(header, 148, 8);
}
