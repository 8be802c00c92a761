import { type IdentifiedElement, type Page, shorten } from '../content/element.ts';
import type { Outline } from '../content/outline.ts';
import { assemblePages, type Placed } from '../content/paginate.ts';
import type { DocumentFacts, OpenDocument } from './reader.ts';

/** A document whose elements were all read at once; an outline of its source says where its pages begin. */
export function flowDocument(
  placed: readonly Placed[],
  outline: Outline,
  facts: DocumentFacts,
  name: string,
): OpenDocument {
  const complete = completeFacts(facts, placed);
  return wholeDocument(complete, assemblePages(placed, outline, complete.title ?? name));
}

/** A document whose pages are all there. */
export function wholeDocument(facts: DocumentFacts, pages: readonly Page<IdentifiedElement>[]): OpenDocument {
  return {
    facts,
    pageCount: pages.length,
    async page(index) {
      const page = pages[index];
      if (page === undefined) throw new TypeError(`No page ${index}`);
      return page;
    },
    async close() {},
  };
}

/** A document without a title is called like its first heading, and its first words are its summary. */
export function completeFacts(facts: DocumentFacts, placed: readonly Placed[]): DocumentFacts {
  const title = facts.title ?? firstText(placed, 'heading');
  const summary = facts.summary ?? firstText(placed, 'text');
  return { ...facts, ...(title !== undefined && { title }), ...(summary !== undefined && { summary }) };
}

function firstText(placed: readonly Placed[], category: 'heading' | 'text'): string | undefined {
  const text = placed.find(({ element }) => element.category === category)?.element.content.text;
  return typeof text === 'string' && text.trim() !== '' ? shorten(text, 200) : undefined;
}
