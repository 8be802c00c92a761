import { meantFacts } from '../facts.ts';
import type { DocumentFacts } from '../reader.ts';
import { decodeCodePage } from '../word/code-pages.ts';
import type { CompoundFile } from './compound-file.ts';

const CODE_PAGE = 1;
const TITLE = 2;
const SUBJECT = 3;
const KEYWORDS = 5;
const MAX_PROPERTIES = 100;
const BYTE_STRING = 0x1e;
const WIDE_STRING = 0x1f;

/** Title, subject and keywords of an old Office file. */
export function readSummary(file: CompoundFile): DocumentFacts {
  try {
    const bytes = file.stream('\u0005SummaryInformation');
    return bytes === undefined ? {} : parseSummary(bytes);
  } catch {
    // A document without facts is still a document.
    return {};
  }
}

function parseSummary(bytes: Buffer): DocumentFacts {
  const section = bytes.subarray(bytes.readUInt32LE(44));
  const count = Math.min(section.readUInt32LE(4), MAX_PROPERTIES);
  const places = new Map(
    Array.from({ length: count }, (_, index) => [
      section.readUInt32LE(8 + index * 8),
      section.readUInt32LE(12 + index * 8),
    ]),
  );
  const pageAt = places.get(CODE_PAGE);
  const page = pageAt === undefined ? 1252 : section.readUInt16LE(pageAt + 4);
  const text = (id: number) => {
    const at = places.get(id);
    if (at === undefined) return '';
    const type = section.readUInt16LE(at);
    const length = section.readUInt32LE(at + 4);
    const value = (size: number) => section.subarray(at + 8, at + 8 + size);
    if (type === BYTE_STRING) return decodeCodePage(value(length), page).replace(/\0.*$/s, '');
    return type === WIDE_STRING
      ? value(length * 2)
          .toString('utf16le')
          .replace(/\0.*$/s, '')
      : '';
  };
  return meantFacts({ title: text(TITLE), summary: text(SUBJECT), keywords: text(KEYWORDS).split(/[,;]/) });
}
