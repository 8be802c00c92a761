import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtLibrary, DocumentsClient, listOpened, temporaryFolder } from '../documents/client.ts';
import { eventually } from '../eventually.ts';
import { slowDocx } from '../hostile/documents-files.ts';

const folder = temporaryFolder();
const slow = ['a.docx', 'b.docx'];

beforeAll(() => {
  const bytes = slowDocx();
  for (const name of slow) writeFileSync(join(folder.path, name), bytes);
  writeFileSync(join(folder.path, 'z.md'), '# Last\n');
});
afterAll(() => folder[Symbol.dispose]());

describe('documents that take long to open', () => {
  test('slow documents are listed by their files, and described in full after an announcement', {
    timeout: 60_000,
  }, async () => {
    const { DocumentLibrary } = await builtLibrary();
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], parseTimeout: 2000 });
    const changes: unknown[] = [];
    library.onChange(change => changes.push(change));
    const { documents } = await library.list();
    expect(documents.map(({ entry }) => entry.docRef)).toEqual([...slow, 'z.md']);
    const last = documents.at(-1)!;
    expect(last.entry.file.size).toBe(7);
    expect(last.description).toEqual({
      doc_ref: 'z.md',
      uri: 'dpe://documents/z.md',
      file_uri: expect.stringMatching(/^file:.*z\.md$/),
      file_type: 'md',
      title: 'z',
      page_count: 0,
      keywords: ['z.md'],
      last_modified: expect.any(String),
    });
    await eventually(() => expect(changes[0]).toEqual({ listChanged: true, updated: [] }));
    const opened = await listOpened(library);
    expect(opened[0]?.description.summary).toMatch(/took longer than 2 seconds/);
    expect(opened.at(-1)?.description).toMatchObject({ title: 'Last', page_count: 1 });
  });

  test('slow documents do not delay reads of others, whose page count is exact', { timeout: 60_000 }, async () => {
    const { DocumentLibrary } = await builtLibrary();
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    const listing = library.list();
    expect(await library.read('dpe://documents/z.md')).toMatchObject({ title: 'Last', page_count: 1 });
    const { documents } = await listing;
    expect(documents.find(({ entry }) => entry.docRef === 'b.docx')?.description.page_count).toBe(0);
    await expect(library.read('dpe://documents/z.md/pages/1')).rejects.toMatchObject({
      code: 4202,
      details: { page_count: 1 },
    });
  });

  test('slow documents have a page count of 0 in the list of resources and at Level 0, and their own at Level 1', {
    timeout: 60_000,
  }, async () => {
    await using client = await DocumentsClient.open([folder.path]);
    const notified: string[] = [];
    client.mcp.setNotificationHandler('notifications/resources/list_changed', () => void notified.push('list'));
    const { resources } = await client.mcp.listResources();
    const resource = resources.at(-1)!;
    expect(resource).toMatchObject({ name: 'z', mimeType: 'text/markdown', size: 7 });
    expect(resource._meta).toMatchObject({ file_type: 'md', page_count: 0 });
    const level0 = await client.json('dpe://documents?format=markdown');
    expect(level0).toMatchObject({ total_count: 3, content_markdown: expect.stringContaining('z.md) (md)') });
    expect(level0).toMatchObject({ documents: expect.arrayContaining([expect.objectContaining({ page_count: 0 })]) });
    expect(await client.document('dpe://documents/z.md')).toMatchObject({ title: 'Last', page_count: 1 });
    await eventually(() => expect(notified).toContain('list'));
    const { resources: later } = await client.mcp.listResources();
    expect(later.at(-1)).toMatchObject({ name: 'Last', _meta: { page_count: 1 } });
  });
});
