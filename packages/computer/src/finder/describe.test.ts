import { describe, expect, test } from 'vitest';
import { describeBody, describeDocument } from './describe.ts';

const uri = 'dpe://com.example.files/q1%2Freport';
const resource = {
  uri,
  name: 'Report',
  description: 'The first quarter',
  annotations: { lastModified: '2026-01-15T08:30:00Z' },
  _meta: { page_count: 3, file_type: 'xlsx', file_uri: 'file:///q1.xlsx', keywords: ['sales'] },
};
const summary = {
  doc_ref: 'q1/report',
  uri,
  file_uri: 'file:///q1.xlsx',
  file_type: 'xlsx',
  title: 'Report',
  page_count: 3,
  keywords: ['sales'],
  summary: 'The first quarter',
  server: 'files',
  last_modified: '2026-01-15T08:30:00Z',
};

describe('describeDocument', () => {
  test('describeDocument summarises a resource that has a page count', () => {
    expect(describeDocument(resource, 'files')).toEqual({ docRef: 'q1/report', summary, problems: [] });
  });

  test('describeDocument leaves out fields that the resource lacks', () => {
    expect(describeDocument({ uri, _meta: { page_count: 1 } }, 'files').summary).toEqual({
      doc_ref: 'q1/report',
      uri,
      file_uri: '',
      file_type: '',
      title: 'q1/report',
      page_count: 1,
      server: 'files',
    });
  });

  test('describeDocument gives a summary without pages when the page count is 0', () => {
    const traits = describeDocument({ ...resource, _meta: { ...resource._meta, page_count: 0 } }, 'files');
    expect(traits).toEqual({ docRef: 'q1/report', summary: { ...summary, page_count: 0 }, problems: [] });
  });

  test.each([-1, 1.5, '3', null, undefined])(
    'describeDocument gives no summary when the page count is %j',
    page_count => {
      const traits = describeDocument({ ...resource, _meta: { page_count } }, 'files');
      expect(traits).toEqual({ docRef: 'q1/report', problems: [] });
    },
  );

  test.each(['', '/doc/pages/0', '/doc/elements/t1'])(
    'describeDocument finds no document in level 0, 2 or 3: dpe://host%s',
    path => {
      expect(describeDocument({ ...resource, uri: `dpe://com.example.files${path}` }, 'files')).toEqual({
        problems: [],
      });
    },
  );

  test('describeDocument reports an invalid URI as a problem', () => {
    const { docRef, problems } = describeDocument({ ...resource, uri: 'dpe://h/doc/chapters/1' }, 'files');
    expect(docRef).toBeUndefined();
    expect(problems).toMatchObject([{ message: expect.stringContaining('URI') }]);
  });

  test('describeDocument ignores values of the wrong type', () => {
    const odd = {
      uri,
      name: 7,
      annotations: { lastModified: 5 },
      _meta: { page_count: 1, keywords: ['a', 1], file_type: {} },
    };
    expect(describeDocument(odd, 'files').summary).toMatchObject({
      title: 'q1/report',
      keywords: ['a'],
      file_type: '',
    });
    expect(describeDocument(odd, 'files').summary).not.toHaveProperty('last_modified');
  });
});

describe('describeBody', () => {
  const read = (body: unknown, from: { uri: string } & Record<string, unknown> = { uri }) =>
    describeBody([{ uri, text: JSON.stringify(body) }], from, { server: 'files', docRef: 'q1/report' });

  test('describeBody prefers the body to the resource', () => {
    const { server, ...facts } = summary;
    expect(read({ ...facts, pages: [] })).toEqual({ summary, problems: [] });
    expect(server).toBe('files');
  });

  test('describeBody falls back to the resource for fields that the body lacks', () => {
    expect(read({ title: 'Own title', page_count: 5 }, resource).summary).toEqual({
      ...summary,
      title: 'Own title',
      page_count: 5,
    });
  });

  test('describeBody gives a document without a page count, and reports it as a problem', () => {
    const { summary, problems } = read({ title: 'T' });
    expect(summary).toMatchObject({ title: 'T', page_count: 0 });
    expect(problems).toMatchObject([{ message: expect.stringContaining('page count') }]);
  });

  test('describeBody accepts a page count of 0', () => {
    expect(read({ page_count: 0 }).problems).toEqual([]);
  });

  test.each([[[]], [[{ blob: 'AA==' }]], [[{ text: 'no JSON' }]], [[{ text: '[]' }]], [[{ text: '7' }]]])(
    'throws when the contents are %j',
    contents => {
      expect(() => describeBody(contents, { uri }, { server: 'files', docRef: 'd' })).toThrow();
    },
  );
});
