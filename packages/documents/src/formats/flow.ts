import { type Element, type IdentifiedElement, type Page, shorten } from '@a2c-smcp/publish/content';
import { paginate } from '../content/paginate.ts';
import type { DocumentFacts, OpenDocument } from './reader.ts';

/** A document whose elements were all read at once. Its first heading and paragraph stand in for title and summary. */
export function flowDocument(elements: readonly Element[], facts: DocumentFacts, name: string): OpenDocument {
  const title = facts.title ?? firstText(elements, 'heading');
  const summary = facts.summary ?? firstText(elements, 'text');
  const complete = { ...facts, ...(title !== undefined && { title }), ...(summary !== undefined && { summary }) };
  return wholeDocument(complete, paginate(elements, title ?? name));
}

/** A document whose pages are all parsed. */
export function wholeDocument(facts: DocumentFacts, pages: readonly Page<IdentifiedElement>[]): OpenDocument {
  return {
    facts,
    pageCount: pages.length,
    isWhole: true,
    async page(index) {
      const page = pages[index];
      if (page === undefined) throw new TypeError(`No page ${index}`);
      return page;
    },
    async close() {},
  };
}

function firstText(elements: readonly Element[], wanted: 'heading' | 'text'): string | undefined {
  const text = elements.find(({ category }) => category === wanted)?.content.text;
  return typeof text === 'string' && text.trim() !== '' ? shorten(text, 200) : undefined;
}
