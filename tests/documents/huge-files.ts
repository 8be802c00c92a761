import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { examples } from './client.ts';

const GIGABYTE = 1024 * 1024 * 1024;

/** How a file of each type begins, and how it ends behind a hole that takes no room on the disk. */
const huge: Record<string, () => { begin: Buffer; end: (at: number) => Buffer; size?: number }> = {
  txt: () => textual('Words of a long letter.\n'),
  log: () => textual('A first line.\n'),
  py: () => textual('"""A long program."""\n'),
  jsonl: () => textual('{"number": 1}\n'),
  csv: () => textual('name,number\na,1\n'),
  json: () => textual('{"number": 1,\n'),
  md: () => ({ ...textual('# A long handbook\n\nWords.\n'), size: 15 * 1024 * 1024 }),
  html: () => ({ ...textual('<title>A long page</title><p>Words.'), size: 15 * 1024 * 1024 }),
  pdf: () => pdf(readFileSync(join(examples, 'invoice.pdf'))),
  docx: () => zip(readFileSync(join(examples, 'report.docx'))),
  xlsx: () => zip(readFileSync(join(examples, 'sales.xlsx'))),
  pptx: () => zip(readFileSync(join(examples, 'slides.pptx'))),
};

/** Every type of which there is a huge file. */
export const hugeTypes = Object.keys(huge);

/** Those whose pages are counted by size alone. */
export const textTypes = ['txt', 'log', 'py', 'jsonl', 'csv', 'json', 'md'];

/** Writes a sound file of a gigabyte, or of as much as its type takes before it counts as plain text. */
export function writeHugeFile(path: string, type: string): void {
  const { begin, end, size = GIGABYTE } = huge[type]!();
  const file = openSync(path, 'w');
  const rest = end(size);
  writeSync(file, begin, 0, begin.length, 0);
  ftruncateSync(file, size);
  writeSync(file, rest, 0, rest.length, size);
  closeSync(file);
}

function textual(text: string) {
  return { begin: Buffer.from(text), end: () => Buffer.alloc(0) };
}

/** The hole is between the objects and the table that says where they are. */
function pdf(bytes: Buffer) {
  const table = Number(/startxref\s+(\d+)/.exec(bytes.toString('latin1'))?.[1]);
  const end = bytes.subarray(table).toString('latin1');
  return {
    begin: bytes.subarray(0, table),
    end: (at: number) => Buffer.from(end.replace(/startxref\s+\d+/, `startxref\n${at}`), 'latin1'),
  };
}

/** The hole is between the parts and their directory. */
function zip(bytes: Buffer) {
  const record = bytes.lastIndexOf(Buffer.from('PK\x05\x06'));
  const directory = bytes.readUInt32LE(record + 16);
  return {
    begin: bytes.subarray(0, directory),
    end: (at: number) => {
      const end = Buffer.from(bytes.subarray(directory));
      end.writeUInt32LE(at, record - directory + 16);
      return end;
    },
  };
}
