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
  test('takes everything from the resource when it has a page count', () => {
    expect(describeDocument(resource, 'files')).toEqual({ docRef: 'q1/report', summary, problems: [] });
  });

  test('leaves out what the resource does not say', () => {
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

  test.each([0, -1, 1.5, '3', null, undefined])('asks for a read when the page count is %j', page_count => {
    const traits = describeDocument({ ...resource, _meta: { page_count } }, 'files');
    expect(traits).toEqual({ docRef: 'q1/report', problems: [] });
  });

  test.each(['', '/doc/pages/0', '/doc/elements/t1'])('finds no document in level 0, 2 or 3: dpe://host%s', path => {
    expect(describeDocument({ ...resource, uri: `dpe://com.example.files${path}` }, 'files')).toEqual({ problems: [] });
  });

  test('finds no document in an invalid URI, which is a problem', () => {
    const { docRef, problems } = describeDocument({ ...resource, uri: 'dpe://h/doc/chapters/1' }, 'files');
    expect(docRef).toBeUndefined();
    expect(problems).toMatchObject([{ message: expect.stringContaining('URI') }]);
  });

  test('passes over values of the wrong type', () => {
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

  test('takes everything from the body', () => {
    const { server, ...facts } = summary;
    expect(read({ ...facts, pages: [] })).toEqual({ summary, problems: [] });
    expect(server).toBe('files');
  });

  test('completes the body with what the resource says', () => {
    expect(read({ title: 'Own title', page_count: 5 }, resource).summary).toEqual({
      ...summary,
      title: 'Own title',
      page_count: 5,
    });
  });

  test('keeps a document without a page count, which is a problem', () => {
    const { summary, problems } = read({ title: 'T' });
    expect(summary).toMatchObject({ title: 'T', page_count: 0 });
    expect(problems).toMatchObject([{ message: expect.stringContaining('page count') }]);
  });

  test('takes a page count of 0 for what it is', () => {
    expect(read({ page_count: 0 }).problems).toEqual([]);
  });

  test.each([[[]], [[{ blob: 'AA==' }]], [[{ text: 'no JSON' }]], [[{ text: '[]' }]], [[{ text: '7' }]]])(
    'throws when the contents are %j',
    contents => {
      expect(() => describeBody(contents, { uri }, { server: 'files', docRef: 'd' })).toThrow();
    },
  );
});
