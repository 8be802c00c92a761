import { posix } from 'node:path';
import { Identifier } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { meantFacts } from '../facts.ts';
import { flowDocument } from '../flow.ts';
import { parseHtml } from '../html/read.ts';
import { Package } from '../ooxml/package.ts';
import { child, children, descendants, readXml, textOf } from '../ooxml/xml.ts';
import type { OpenReader } from '../reader.ts';
import { decodeText, MAX_TEXT_BYTES } from '../text/encoding.ts';

const MAX_CHAPTERS = 5000;

/** epub: a file of the book's spine is a page, cut where it is too long. */
export const openEpub: OpenReader = async file => {
  const zip = await Package.open(file);
  try {
    const container = await readXml(zip, 'META-INF/container.xml');
    const root = descendants(container, 'rootfile')[0]?.attributes['full-path'] ?? '';
    const book = await readXml(zip, root);
    const items = new Map(
      children(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id, attributes.href]),
    );
    const parts = children(child(book, 'spine'), 'itemref')
      .slice(0, MAX_CHAPTERS)
      .map(({ attributes }) => items.get(attributes.idref))
      .filter(href => href !== undefined)
      .map(href => posix.join(posix.dirname(root), decodeURI(href)))
      .filter(part => zip.has(part));
    if (parts.length === 0) throw new UnreadableError('The book has no chapters');
    const metadata = child(book, 'metadata');
    const title = textOf(child(metadata, 'title'));
    return {
      facts: meantFacts({
        title,
        summary: textOf(child(metadata, 'description')) || textOf(child(metadata, 'creator')),
      }),
      pageCount: parts.length,
      page: async index => readChapter(zip, parts[index] ?? '', index),
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
};

async function readChapter(zip: Package, part: string, index: number) {
  if (zip.size(part) > MAX_TEXT_BYTES) throw new UnreadableError('The chapter is too large to be read');
  const { facts, elements } = parseHtml(decodeText(await zip.read(part)));
  const chapter = flowDocument(elements, facts, `Chapter ${index + 1}`);
  const pages = await Promise.all(Array.from({ length: chapter.pageCount }, (_, page) => chapter.page(page)));
  const identifier = new Identifier();
  const all = pages.flatMap(page => page.elements);
  return {
    title: chapter.facts.title ?? `Chapter ${index + 1}`,
    elements: all.map(element => identifier.identify(element)),
  };
}
