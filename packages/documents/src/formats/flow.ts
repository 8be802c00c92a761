import { type Element, shorten } from '../content/element.ts';
import { paginate } from '../content/paginate.ts';
import type { DocumentFacts, OpenDocument } from './reader.ts';

/** A document whose elements were all read at once; pages come from its headings. */
export function flowDocument(elements: readonly Element[], facts: DocumentFacts, name: string): OpenDocument {
  const title = facts.title ?? firstText(elements, 'heading') ?? name;
  const summary = facts.summary ?? firstText(elements, 'text');
  const pages = paginate(elements, title);
  return {
    facts: { ...facts, title, ...(summary !== undefined && { summary }) },
    pageCount: pages.length,
    async page(index) {
      const page = pages[index];
      if (page === undefined) throw new TypeError(`No page ${index}`);
      return page;
    },
    async close() {},
  };
}

function firstText(elements: readonly Element[], category: 'heading' | 'text'): string | undefined {
  const text = elements.find(element => element.category === category)?.content.text;
  return typeof text === 'string' && text.trim() !== '' ? shorten(text, 200) : undefined;
}
