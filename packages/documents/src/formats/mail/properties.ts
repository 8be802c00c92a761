import type { CompoundFile } from '../compound/compound-file.ts';
import { isUtf8 } from '../text/encoding.ts';
import { decodeCodePage } from '../word/code-pages.ts';

const ENTRY_BYTES = 16;
const MAX_ENTRIES = 2000;
const UTF_8 = 65001;
/** Milliseconds between the beginning of 1601, from which Windows counts, and of 1970. */
const EPOCH_MS = 11_644_473_600_000;

/** Properties by their numbers in Outlook. */
export const Property = {
  subject: 0x0037,
  submitted: 0x0039,
  represented: 0x0042,
  transportFields: 0x007d,
  sender: 0x0c1a,
  senderAddress: 0x0c1f,
  senderSmtp: 0x5d01,
  representedSmtp: 0x5d02,
  recipientKind: 0x0c15,
  cc: 0x0e03,
  to: 0x0e04,
  delivered: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  name: 0x3001,
  address: 0x3003,
  fileName: 0x3704,
  longFileName: 0x3707,
  mimeType: 0x370e,
  smtp: 0x39fe,
  internetCodePage: 0x3fde,
  codePage: 0x3ffd,
} as const;

/** The properties of a mail, of a recipient, or of an attachment. */
export class Properties {
  readonly #file: CompoundFile;
  readonly #path: readonly string[];
  readonly #fixed: ReadonlyMap<number, Buffer>;
  readonly #codePage: number;

  /** @param header bytes before the table of short values, which differ between mails and their parts */
  constructor(
    file: CompoundFile,
    path: readonly string[],
    { header, codePage }: { header: number; codePage?: number },
  ) {
    this.#file = file;
    this.#path = path;
    this.#fixed = readFixed(file.stream(...path, '__properties_version1.0') ?? Buffer.alloc(0), header);
    this.#codePage = codePage ?? this.number(Property.codePage) ?? this.number(Property.internetCodePage) ?? 1252;
  }

  get codePage(): number {
    return this.#codePage;
  }

  /** A text; empty if there is none. */
  text(id: number): string {
    const wide = this.#stream(id, '001F');
    const bytes = this.#stream(id, '001E') ?? Buffer.alloc(0);
    // Some programs claim UTF-8 and write the code page of their machine.
    const page = this.#codePage === UTF_8 && !isUtf8(bytes) ? 1252 : this.#codePage;
    const text = wide?.toString('utf16le') ?? decodeCodePage(bytes, page);
    return text.replace(/\0+$/, '').trim();
  }

  bytes(id: number): Buffer | undefined {
    return this.#stream(id, '0102');
  }

  number(id: number): number | undefined {
    return this.#fixed.get(id)?.readInt32LE(0);
  }

  /** A time as ISO 8601; empty if there is none. */
  time(id: number): string {
    const value = this.#fixed.get(id)?.readBigUInt64LE(0) ?? 0n;
    const time = new Date(Number(value / 10_000n) - EPOCH_MS);
    return value === 0n || Number.isNaN(time.getTime()) ? '' : time.toISOString();
  }

  #stream(id: number, type: string): Buffer | undefined {
    const name = `__substg1.0_${id.toString(16).padStart(4, '0')}${type}`;
    return this.#file.stream(...this.#path, name);
  }
}

/** Values of up to eight bytes, by the numbers of their properties. */
function readFixed(bytes: Buffer, header: number): Map<number, Buffer> {
  const count = Math.min(Math.max(Math.floor((bytes.length - header) / ENTRY_BYTES), 0), MAX_ENTRIES);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = header + index * ENTRY_BYTES;
      return [bytes.readUInt16LE(at + 2), bytes.subarray(at + 8, at + 16)];
    }),
  );
}
