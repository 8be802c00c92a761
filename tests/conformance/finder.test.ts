import { type DocumentQuery, organizeFinder } from '@a2c-smcp/computer';
import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import { describe, expect } from 'vitest';
import { verifies } from './verifies.ts';

/** A document of the server named first. */
function document(server: string, title: string, facts: Partial<DPEDocumentSummary> = {}): DPEDocumentSummary {
  const uri = `dpe://com.example/${title}`;
  return { doc_ref: title, uri, file_uri: '', file_type: 'pdf', title, page_count: 1, server, ...facts };
}
const dated = (title: string, last_modified?: string) => document('a', title, { last_modified });

/** The titles of the documents found. */
function found(documents: readonly DPEDocumentSummary[], query?: DocumentQuery, history?: string[]): string[] {
  return organizeFinder(documents, query, history).documents.map(({ title }) => title);
}

describe('the catalogue of documents', () => {
  verifies('finder.filter.uri', () => {
    const invalid = ['file:///x', 'dpe://', 'dpe://h/x/pages/a', 'dpe://h/x?format=xml'];
    const documents = invalid.map((uri, index) => document('a', `${index}`, { uri }));
    expect(organizeFinder([...documents, document('a', 'valid')])).toMatchObject({
      documents: [{ title: 'valid' }],
      totalCount: 1,
    });
  });

  verifies('finder.keywords', () => {
    const documents = [
      document('a', 'Quarterly-REPORT'),
      document('a', 'tagged', { keywords: ['annual', 'report'] }),
      document('a', 'described', { summary: 'A Report on everything' }),
      document('a', 'other', { keywords: ['re'], summary: 'port' }),
    ];
    expect(found(documents, { keywords: ['report'] })).toEqual(['Quarterly-REPORT', 'tagged', 'described']);
    expect(found(documents, { keywords: ['REPORT'] })).toEqual(['Quarterly-REPORT', 'tagged', 'described']);
    expect(found(documents, { keywords: ['annual report', 'quarter'] })).toEqual(['Quarterly-REPORT', 'tagged']);
  });

  verifies('finder.file-type', () => {
    const documents = [
      document('a', 'x', { file_type: 'xlsx' }),
      document('a', 'y'),
      document('a', 'z', { file_type: '' }),
    ];
    expect(found(documents, { file_type: 'xlsx' })).toEqual(['x']);
    for (const file_type of ['XLSX', 'xls', 'lsx']) expect(found(documents, { file_type })).toEqual([]);
    expect(found(documents, { file_type: '', keywords: [] })).toEqual(['x', 'y', 'z']);
  });

  verifies('finder.rank', () => {
    const documents = ['d', 'c', 'a', 'b'].map(server => document(server, server));
    expect(found(documents)).toEqual(['a', 'b', 'c', 'd']);
    expect(found(documents, {}, ['c', 'd', 'c', 'gone'])).toEqual(['c', 'd', 'a', 'b']);
  });

  verifies('finder.sort', () => {
    const documents = [
      dated('none'),
      dated('old', '2020-01-01'),
      dated('new', '2026-01-01'),
      dated('same', '2020-01-01'),
    ];
    expect(found(documents)).toEqual(['new', 'old', 'same', 'none']);
  });

  verifies('finder.sort.timestamps', () => {
    const zones = [dated('earlier', '2026-01-01T12:00:00+12:00'), dated('later', '2026-01-01T01:00:00Z')];
    expect(found(zones)).toEqual(['later', 'earlier']);
    expect(found([dated('v1', 'version 1'), dated('v2', 'version 2'), dated('none')])).toEqual(['v2', 'v1', 'none']);
  });

  const many = Array.from({ length: 150 }, (_, index) => document('a', String(index)));

  verifies('finder.total', () => {
    const mixed = [...many, document('a', 'sheet', { file_type: 'xlsx' })];
    expect(organizeFinder(mixed, { file_type: 'pdf', offset: 10, limit: 5 }).totalCount).toBe(150);
  });

  verifies('finder.page', () => {
    expect(found(many)).toEqual(many.slice(0, 20).map(({ title }) => title));
    expect(found(many, { offset: 149 })).toEqual(['149']);
    expect(found(many, { offset: 7, limit: 2 })).toEqual(['7', '8']);
    expect(found(many, { offset: 150 })).toEqual([]);
  });
});
