import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SearchText } from './search-text.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'Σ', ' ', '\u0000'), maxLength: 5 });
const documents = fc.array(
  fc
    .record({ title: text, keywords: fc.array(text, { maxLength: 3 }), summary: fc.option(text, { nil: undefined }) })
    .map(fields => fields as unknown as DPEDocumentSummary),
  { maxLength: 10 },
);

/** Each field for itself. */
function mentions({ title, keywords = [], summary = '' }: DPEDocumentSummary, keyword: string): boolean {
  return [title, keywords.join(' '), summary].some(field => field.toLowerCase().includes(keyword.toLowerCase()));
}

test('a search finds exactly the documents of which a field has one of the keywords', () => {
  fc.assert(
    fc.property(documents, fc.array(text, { maxLength: 3 }), (all, keywords) => {
      const places = [...all.keys()].filter(place => keywords.some(keyword => mentions(all[place]!, keyword)));
      expect(new SearchText(all).find(keywords)).toEqual(places);
    }),
    { numRuns: 1000 },
  );
});
