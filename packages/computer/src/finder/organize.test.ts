import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { type DocumentQuery, organizeFinder } from './organize.ts';

/** The document `server/title`. */
function document(name: string, facts: Partial<DPEDocumentSummary> = {}): DPEDocumentSummary {
  const [server = '', title = ''] = name.split('/');
  const uri = `dpe://com.example.${server}/${encodeURIComponent(title)}`;
  return { doc_ref: title, uri, file_uri: '', file_type: 'pdf', title, page_count: 1, server, ...facts };
}
const dated = (name: string, last_modified: string) => document(name, { last_modified });
const ofType = (name: string, file_type: string) => document(name, { file_type });
const many = (count: number) => Array.from({ length: count }, (_, index) => document(`a/${index}`));
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `a/${from + index}`);

interface Case {
  documents: DPEDocumentSummary[];
  query?: DocumentQuery;
  history?: string[];
  found: string[];
  /** When it is not the number of those found. */
  total?: number;
}

const cases: Record<string, Case> = {
  // Step 1: valid URIs.
  'nothing gives nothing': { documents: [], found: [] },
  'one document is found': { documents: [document('a/x')], found: ['a/x'] },
  'another scheme is no document': {
    documents: [document('a/x', { uri: 'window://h/x' }), document('a/y')],
    found: ['a/y'],
  },
  'a URI without a host is none': { documents: [document('a/x', { uri: 'dpe://' })], found: [] },
  'a URI that breaks a rule is none': { documents: [document('a/x', { uri: 'dpe://h/x/pages/-1' })], found: [] },
  'an invalid query is one too': { documents: [document('a/x', { uri: 'dpe://h/x?limit=0' })], found: [] },

  // Step 2: keywords.
  'a keyword in the title': {
    documents: [document('a/Report'), document('a/Plan')],
    query: { keywords: ['Report'] },
    found: ['a/Report'],
  },
  'a keyword in the keywords': {
    documents: [document('a/x', { keywords: ['sales', 'north'] }), document('a/y')],
    query: { keywords: ['north'] },
    found: ['a/x'],
  },
  'a keyword in the summary': {
    documents: [document('a/x', { summary: 'All about sales' }), document('a/y')],
    query: { keywords: ['sales'] },
    found: ['a/x'],
  },
  'letter case does not matter': {
    documents: [document('a/REPORT')],
    query: { keywords: ['rEpOrT'] },
    found: ['a/REPORT'],
  },
  'part of a word is enough': {
    documents: [document('a/Reporting')],
    query: { keywords: ['port'] },
    found: ['a/Reporting'],
  },
  'any keyword is enough': {
    documents: [document('a/x'), document('a/y'), document('a/z')],
    query: { keywords: ['x', 'z'] },
    found: ['a/x', 'a/z'],
  },
  'a keyword that occurs nowhere finds nothing': {
    documents: [document('a/x')],
    query: { keywords: ['w'] },
    found: [],
  },
  'no keywords filter nothing': { documents: [document('a/x')], query: { keywords: [] }, found: ['a/x'] },
  'keywords are joined by a space': {
    documents: [document('a/x', { keywords: ['north', 'sales'] })],
    query: { keywords: ['north sales'] },
    found: ['a/x'],
  },
  'a keyword does not match across fields': {
    documents: [document('a/x', { keywords: ['ab'], summary: 'cd' })],
    query: { keywords: ['abcd', 'ab cd', 'xab'] },
    found: [],
  },
  'an empty keyword matches everything': { documents: [document('a/x')], query: { keywords: [''] }, found: ['a/x'] },
  'other letters than ours': {
    documents: [document('a/销售报告'), document('a/ÜBERSICHT')],
    query: { keywords: ['报告', 'übers'] },
    found: ['a/销售报告', 'a/ÜBERSICHT'],
  },
  'characters that are special elsewhere': {
    documents: [document('a/x.*y'), document('a/xzy')],
    query: { keywords: ['x.*y'] },
    found: ['a/x.*y'],
  },

  // Step 3: file type.
  'a file type keeps its documents': {
    documents: [ofType('a/x', 'pdf'), ofType('a/y', 'xlsx')],
    query: { file_type: 'xlsx' },
    found: ['a/y'],
  },
  'it must be equal, case included': {
    documents: [ofType('a/x', 'PDF'), ofType('a/y', 'pdfx')],
    query: { file_type: 'pdf' },
    found: [],
  },
  'an empty one filters nothing': {
    documents: [ofType('a/x', 'pdf'), ofType('a/y', '')],
    query: { file_type: '' },
    found: ['a/x', 'a/y'],
  },
  'both filters hold': {
    documents: [ofType('a/x', 'pdf'), ofType('a/xx', 'doc'), ofType('a/y', 'pdf')],
    query: { keywords: ['x'], file_type: 'pdf' },
    found: ['a/x'],
  },

  // Step 4: servers.
  'servers come by name': {
    documents: [document('c/x'), document('a/x'), document('b/x')],
    found: ['a/x', 'b/x', 'c/x'],
  },
  'names are ordered by code unit': {
    documents: [document('a/x'), document('B/x'), document('_/x')],
    found: ['B/x', '_/x', 'a/x'],
  },
  'the server used last comes first': {
    documents: [document('a/x'), document('b/x')],
    history: ['b'],
    found: ['b/x', 'a/x'],
  },
  'the last of several uses counts': {
    documents: [document('a/x'), document('b/x')],
    history: ['a', 'b', 'a'],
    found: ['a/x', 'b/x'],
  },
  'unknown servers in the history do no harm': {
    documents: [document('a/x'), document('b/x')],
    history: ['z', 'b'],
    found: ['b/x', 'a/x'],
  },

  // Step 5: time.
  'the newest comes first': {
    documents: [dated('a/x', '2024-01-01'), dated('a/y', '2026-01-01')],
    found: ['a/y', 'a/x'],
  },
  'undated ones come last': {
    documents: [document('a/x'), dated('a/y', '1970-01-01'), document('a/z')],
    found: ['a/y', 'a/x', 'a/z'],
  },
  'an empty date is none': {
    documents: [dated('a/x', ''), dated('a/y', '1969-01-01T00:00:00Z')],
    found: ['a/y', 'a/x'],
  },
  'time is not compared across servers': {
    documents: [dated('b/x', '2026-01-01'), dated('a/x', '2020-01-01')],
    found: ['a/x', 'b/x'],
  },
  'equal times keep their order': {
    documents: [dated('a/y', '2026-01-01'), dated('a/x', '2026-01-01')],
    found: ['a/y', 'a/x'],
  },
  'zones are taken into account': {
    documents: [dated('a/x', '2026-01-01T12:00:00+12:00'), dated('a/y', '2026-01-01T05:00:00Z')],
    found: ['a/y', 'a/x'],
  },
  'equal points in time are equal however they are written': {
    documents: [dated('a/x', '2026-01-01T01:00:00+01:00'), dated('a/y', '2026-01-01T00:00Z')],
    found: ['a/x', 'a/y'],
  },
  'a date is its midnight': {
    documents: [dated('a/x', '2026-01-01'), dated('a/y', '2026-01-01T00:00:01Z')],
    found: ['a/y', 'a/x'],
  },
  'a time without a zone is UTC': {
    documents: [dated('a/x', '2026-01-01T00:30:00'), dated('a/y', '2026-01-01T00:45:00Z')],
    found: ['a/y', 'a/x'],
  },
  'microseconds count': {
    documents: [dated('a/x', '2026-01-01T00:00:00.000001Z'), dated('a/y', '2026-01-01T00:00:00.000002Z')],
    found: ['a/y', 'a/x'],
  },
  'what is no time is compared as text': {
    documents: [dated('a/x', 'version 1'), dated('a/y', 'version 2')],
    found: ['a/y', 'a/x'],
  },
  'so it is when only one is none': {
    documents: [dated('a/x', '2026-01-01'), dated('a/y', 'yesterday')],
    found: ['a/y', 'a/x'],
  },
  'what is no time still comes before nothing': {
    documents: [document('a/x'), dated('a/y', 'yesterday')],
    found: ['a/y', 'a/x'],
  },

  // Step 6: pages.
  'a page has 20 documents': { documents: many(25), found: names(0, 20), total: 25 },
  'a limit and an offset': { documents: many(25), query: { offset: 3, limit: 2 }, found: names(3, 5), total: 25 },
  'the last page may be short': { documents: many(25), query: { offset: 20 }, found: names(20, 25), total: 25 },
  'an offset past the end': { documents: many(3), query: { offset: 3 }, found: [], total: 3 },
  'a limit of 0': { documents: many(3), query: { limit: 0 }, found: [], total: 3 },
  'a limit above the total': { documents: many(3), query: { limit: 50 }, found: names(0, 3) },
  'a limit above 100 is 100': { documents: many(150), query: { limit: 1000 }, found: names(0, 100), total: 150 },
  'the total counts after filtering': {
    documents: [...many(5), ofType('a/x', 'doc')],
    query: { file_type: 'pdf', limit: 1 },
    found: ['a/0'],
    total: 5,
  },
};

describe('organizeFinder', () => {
  test.each(Object.entries(cases))('%s', (_, { documents, query, history, found, total = found.length }) => {
    const page = organizeFinder(documents, query, history);
    expect(page.documents.map(({ server, title }) => `${server}/${title}`)).toEqual(found);
    expect(page.totalCount).toBe(total);
  });

  test.each([{ offset: -1 }, { limit: -1 }, { offset: 0.5 }, { limit: Number.NaN }])(
    'organizeFinder refuses the query %j',
    query => {
      expect(() => organizeFinder([], query)).toThrow(expect.objectContaining({ code: 400 }));
    },
  );

  test('organizeFinder returns documents with all their fields, unknown ones included', () => {
    const given = document('a/x', { pages_read: 7 });
    expect(organizeFinder([given]).documents[0]).toBe(given);
  });

  test('organizeFinder does not mutate its input', () => {
    const documents = Object.freeze([dated('b/x', '2020-01-01'), dated('b/y', '2026-01-01'), document('a/x')]);
    expect(organizeFinder(documents, Object.freeze({ limit: 2 }), Object.freeze(['b'])).totalCount).toBe(3);
  });
});
