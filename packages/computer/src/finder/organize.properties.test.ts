import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { organizeFinder } from './organize.ts';

const servers = fc.constantFrom('a', 'b', 'c', 'd');
const anyDocument = fc
  .record({
    server: servers,
    title: fc.string(),
    uri: fc.oneof(
      fc.nat().map(id => `dpe://h/${id}`),
      fc.constant('dpe://'),
      fc.domain().map(host => `https://${host}/`),
    ),
    file_type: fc.constantFrom('pdf', 'xlsx', ''),
    last_modified: fc.option(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map(date => date.toISOString()),
      { nil: undefined },
    ),
  })
  .map(facts => ({ doc_ref: 'x', file_uri: '', page_count: 1, ...facts }));
const catalogues = fc.record({
  documents: fc.array(anyDocument, { maxLength: 40 }),
  query: fc.record({
    keywords: fc.array(fc.string({ maxLength: 2 }), { maxLength: 2 }),
    file_type: fc.constantFrom('pdf', 'xlsx', ''),
  }),
  history: fc.array(servers),
});

describe('organizeFinder with any input', () => {
  test('a page never has more documents than the limit', () => {
    fc.assert(
      fc.property(catalogues, fc.nat(200), ({ documents, query, history }, limit) => {
        const found = organizeFinder(documents, { ...query, limit }, history).documents.length;
        expect(found).toBeLessThanOrEqual(Math.min(limit, 100, documents.length));
      }),
    );
  });

  test('every page has the same total count', () => {
    fc.assert(
      fc.property(catalogues, fc.nat(50), fc.nat(50), ({ documents, query, history }, offset, limit) => {
        const { totalCount } = organizeFinder(documents, query, history);
        expect(organizeFinder(documents, { ...query, offset, limit }, history).totalCount).toBe(totalCount);
      }),
    );
  });

  test('all pages together are the whole catalogue', () => {
    fc.assert(
      fc.property(catalogues, fc.integer({ min: 1, max: 7 }), ({ documents, query, history }, limit) => {
        const whole = organizeFinder(documents, { ...query, limit: 100 }, history);
        const pages = Array.from({ length: Math.ceil(whole.totalCount / limit) }, (_, page) =>
          organizeFinder(documents, { ...query, offset: page * limit, limit }, history),
        );
        expect(pages.flatMap(page => page.documents)).toEqual(whole.documents);
        expect(whole.documents).toHaveLength(whole.totalCount);
      }),
    );
  });

  test('the documents of a server stay together, and equal ones in their order', () => {
    fc.assert(
      fc.property(catalogues, ({ documents, history }) => {
        const numbered = documents.map(({ server }, index) => numberedDocument(server, index));
        const found = organizeFinder(numbered, { limit: 100 }, history).documents;
        const blocks = found.map(({ server }) => server).filter((server, index, all) => server !== all[index - 1]);
        expect(new Set(blocks).size).toBe(blocks.length);
        for (const block of blocks) {
          const indexes = found.filter(({ server }) => server === block).map(({ title }) => Number(title));
          expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});

/** A valid document without a date, so that nothing but the order it was given in tells it from its neighbours. */
function numberedDocument(server: string, index: number): DPEDocumentSummary {
  const title = String(index);
  return { doc_ref: title, uri: `dpe://h/${index}`, file_uri: '', file_type: 'pdf', title, page_count: 1, server };
}
