import { posix } from 'node:path';
import { type Element, type IdentifiedElement, type Page, shorten } from '@a2c-smcp/publish/content';
import { fillPages, PAGE_CHARACTERS } from '../../content/paginate.ts';
import { UnreadableError } from '../../file.ts';
import { meantFacts } from '../facts.ts';
import { parseHtml } from '../html/read.ts';
import { Package } from '../ooxml/package.ts';
import { withSums } from '../ooxml/picture.ts';
import { child, children, descendants, readXml, textOf } from '../ooxml/xml.ts';
import type { OpenReader } from '../reader.ts';
import { decodeText, MAX_TEXT_BYTES } from '../text/encoding.ts';

const MAX_CHAPTERS = 5000;

/** The file that says where the book is. */
const CONTAINER = 'META-INF/container.xml';

/** epub: a file of the book's spine is a page, cut where it is too long. */
export const openEpub: OpenReader = async file => {
  const zip = await Package.open(file);
  try {
    // Some programs put the whole book into a folder of the archive.
    const place = zip.has(CONTAINER) ? CONTAINER : (zip.find(`/${CONTAINER}`) ?? CONTAINER);
    const container = await readXml(zip, place);
    const path = descendants(container, 'rootfile')[0]?.attributes['full-path'] ?? '';
    const root = posix.join(place.slice(0, -CONTAINER.length), path);
    const book = await readXml(zip, root);
    const items = new Map(
      children(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id, attributes.href]),
    );
    const parts = children(child(book, 'spine'), 'itemref')
      .slice(0, MAX_CHAPTERS)
      .map(({ attributes }) => items.get(attributes.idref))
      .filter(href => href !== undefined)
      .map(href => posix.join(posix.dirname(root), decoded(href)))
      .filter(part => zip.has(part));
    if (parts.length === 0) throw new UnreadableError('The book has no chapters');
    const metadata = child(book, 'metadata');
    const title = textOf(child(metadata, 'title'));
    const pages = await findPages(zip, parts);
    return {
      facts: meantFacts({
        title,
        summary: textOf(child(metadata, 'description')) || textOf(child(metadata, 'creator')),
      }),
      pageCount: pages.length,
      page: async index => readBookPage(zip, pages[index] ?? { part: '', chapter: 0, place: 0 }),
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
};

/** A picture of the book by its part, which its address names from where the chapter is. */
function withPart(element: Element, zip: Package, chapter: string): Element {
  const { category, content } = element;
  if (category !== 'image' || typeof content.url !== 'string') return element;
  const part = posix.join(posix.dirname(chapter), decoded(content.url));
  return zip.has(part) ? { ...element, metadata: { part } } : element;
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** A page of a book: the file of its chapter, the number of the chapter, and which of its pages it is, both from 0. */
interface BookPage {
  part: string;
  chapter: number;
  place: number;
}

/** A short chapter is one page. Longer ones are read to count their pages. */
async function findPages(zip: Package, parts: readonly string[]): Promise<BookPage[]> {
  const pages: BookPage[] = [];
  for (const [chapter, part] of parts.entries()) {
    const isLong = zip.size(part) > PAGE_CHARACTERS && zip.size(part) <= MAX_TEXT_BYTES;
    const count = isLong ? (await readChapter(zip, part, chapter)).length : 1;
    for (let place = 0; place < count; place += 1) pages.push({ part, chapter, place });
  }
  return pages;
}

async function readBookPage(zip: Package, { part, chapter, place }: BookPage): Promise<Page<IdentifiedElement>> {
  if (zip.size(part) > MAX_TEXT_BYTES) throw new UnreadableError('The chapter is too large to be read');
  const pages = await readChapter(zip, part, chapter);
  const page = pages[place];
  if (page === undefined) throw new TypeError(`No page ${place} of chapter ${chapter}`);
  return page;
}

/** The pages of a chapter: as few as the limit of characters allows. */
async function readChapter(zip: Package, part: string, index: number): Promise<Page<IdentifiedElement>[]> {
  const { facts, elements } = parseHtml(decodeText(await zip.read(part)));
  const title = facts.title ?? headingOf(elements) ?? `Chapter ${index + 1}`;
  const placed = elements.map(element => withPart(element, zip, part));
  return fillPages(withSums(zip, placed), title);
}

function headingOf(elements: readonly Element[]): string | undefined {
  const text = elements.find(({ category }) => category === 'heading')?.content.text;
  return typeof text === 'string' && text.trim() !== '' ? shorten(text, 200) : undefined;
}
