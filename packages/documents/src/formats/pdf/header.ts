import { type DocumentFacts, type DocumentHeader, type HeaderReader, UnreadableError } from '../reader.ts';
import type { PdfDictionary } from './objects.ts';
import { PdfStructure } from './structure.ts';

const MAX_CHAPTERS = 20;
/** More than this is a lie of the file, and going through them would not end. */
export const MAX_PAGES = 100_000;
/** Up to this size, a file whose trailer does not help is opened instead. */
const MAX_OPENED_BYTES = 4 * 1024 * 1024;

/** Title, chapters and number of pages from where the trailer leads; no page is looked at. */
export const readPdfHeader: HeaderReader = async (source, { size }) => {
  if (size === 0) throw new UnreadableError('The file is empty');
  try {
    return await readStructure(await PdfStructure.read(source, size));
  } catch {
    if (size <= MAX_OPENED_BYTES) return undefined;
    return { summary: 'The file is damaged; what can be saved shows when it is read', pageCount: 1 };
  }
};

/** Nothing for an encrypted file: whether it takes a password to read it is more than a header tells. */
async function readStructure(pdf: PdfStructure): Promise<DocumentHeader | undefined> {
  if (pdf.trailer.has('Encrypt')) return undefined;
  const root = await pdf.dictionary(pdf.trailer.get('Root'));
  const pages = await pdf.dictionary(root.get('Pages'));
  const pageCount = await pdf.resolve(pages.get('Count'));
  if (typeof pageCount !== 'number' || !Number.isInteger(pageCount) || pageCount < 1 || pageCount > MAX_PAGES) {
    throw new RangeError('The file does not say how many pages it has');
  }
  const { title, subject, keywords } = await readInfo(pdf);
  const summary = subject ?? (await readContents(pdf, root)) ?? (pageCount === 1 ? '1 page' : `${pageCount} pages`);
  return { ...(title && { title }), summary, ...(keywords && { keywords }), pageCount };
}

async function readInfo(
  pdf: PdfStructure,
): Promise<Pick<DocumentFacts, 'title' | 'keywords'> & { subject: string | undefined }> {
  const info = await pdf.dictionary(pdf.trailer.get('Info'));
  const [title, subject, keywords] = await Promise.all(
    ['Title', 'Subject', 'Keywords'].map(key => text(pdf, info, key)),
  );
  return {
    subject,
    ...(title && { title }),
    ...(keywords && { keywords: splitKeywords(keywords) }),
  };
}

/** The chapters that the file's own table of contents names. */
async function readContents(pdf: PdfStructure, root: PdfDictionary): Promise<string | undefined> {
  const outlines = await pdf.dictionary(root.get('Outlines'));
  const titles: string[] = [];
  let item = await pdf.dictionary(outlines.get('First'));
  for (let count = 0; item.size > 0 && count < MAX_CHAPTERS; count += 1) {
    titles.push((await text(pdf, item, 'Title')) ?? '');
    item = await pdf.dictionary(item.get('Next'));
  }
  return titles.filter(Boolean).join(', ') || undefined;
}

async function text(pdf: PdfStructure, dictionary: PdfDictionary, key: string): Promise<string | undefined> {
  const value = await pdf.resolve(dictionary.get(key));
  const isText = typeof value === 'object' && value !== null && 'text' in value;
  return isText ? value.text.replaceAll('\0', '').trim() || undefined : undefined;
}

/** Keywords as people write them, with commas or semicolons. */
export function splitKeywords(keywords: string): string[] {
  return keywords
    .split(/[,;]/)
    .map(keyword => keyword.trim())
    .filter(Boolean);
}
