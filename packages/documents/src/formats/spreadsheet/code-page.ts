import { CompoundFile } from '../compound/compound-file.ts';
import { decodeCodePage } from '../word/code-pages.ts';

/** The type of the record with the code page, which is one of the first. */
const CODE_PAGE = 0x42;
const MAX_RECORDS = 1000;
const LATIN_1 = /^[\0-\xff]*$/;

/**
 * Returns a function that decodes texts of a workbook before Excel 97, whose bytes SheetJS takes for Latin-1. Later ones have
 * Unicode, and stay as they are.
 */
export function textDecoder(bytes: Buffer): (text: string) => string {
  const page = codePageOf(bytes);
  if (page === undefined) return text => text;
  return text => (LATIN_1.test(text) ? decodeCodePage(Buffer.from(text, 'latin1'), page) : text);
}

function codePageOf(bytes: Buffer): number | undefined {
  const book = oldBook(bytes);
  for (let at = 0, count = 0; at + 6 <= book.length && count < MAX_RECORDS; count += 1) {
    if (book.readUInt16LE(at) === CODE_PAGE) return book.readUInt16LE(at + 4);
    at += 4 + book.readUInt16LE(at + 2);
  }
  return undefined;
}

/** The stream of Excel 5 and 95. Later versions have another one, perhaps beside it. */
function oldBook(bytes: Buffer): Buffer {
  try {
    const file = new CompoundFile(bytes);
    return (file.stream('Workbook') === undefined ? file.stream('Book') : undefined) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
