import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary, type SearchResult } from '@a2c-smcp/documents';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { builtLibrary, DocumentsClient, examples, temporaryFolder } from './client.ts';

/** The answer to a search as soon as all documents were read. */
async function search(library: Pick<DocumentLibrary, 'search'>, query: string): Promise<SearchResult> {
  let result: SearchResult = { hits: [], pending: 0 };
  await eventually(async () => {
    result = await library.search(query);
    expect(result.pending).toBe(0);
  });
  return result;
}

/** The documents and pages that a search finds, best first. */
async function find(library: Pick<DocumentLibrary, 'search'>, query: string): Promise<string[]> {
  const { hits } = await search(library, query);
  return hits.map(({ entry, page }) => `${entry.docRef}#${page}`);
}

describe('search inside documents', () => {
  test('words are found on their pages in every format, with a passage', async () => {
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [examples] });
    const { hits } = await search(library, 'second counter at the Station');
    expect(
      hits
        .slice(0, 2)
        .map(({ entry }) => entry.docRef)
        .toSorted(),
    ).toEqual(['report.docx', 'slides.pptx']);
    expect(hits[0]?.passage).toContain('second counter at the Station');
    for (const [query, docRef] of [
      ['espresso', 'menu.html'],
      ['invoice', 'invoice.pdf'],
      ['festival Harbour', 'report.docx'],
    ]) {
      const { hits: found } = await search(library, query!);
      expect(
        found.map(({ entry }) => entry.docRef),
        query,
      ).toContain(docRef);
    }
  });

  test('names of files and folders are found, and count more than the text', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'contracts'));
    writeFileSync(join(folder.path, 'contracts/harbour-lease.md'), '# Agreement\n\nThe parties agree.\n');
    writeFileSync(join(folder.path, 'notes.md'), '# Notes\n\nThe harbour lease was discussed, and other things too.\n');
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    expect(await find(library, 'harbour lease')).toEqual(['contracts/harbour-lease.md#0', 'notes.md#0']);
    expect(await find(library, 'contracts')).toEqual(['contracts/harbour-lease.md#0']);
  });

  test('Chinese, Japanese and Korean words are found inside sentences, in any encoding', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'zh.txt'), iconv.encode('本合同自双方签字之日起生效，付款期限为三十天。', 'gbk'));
    writeFileSync(join(folder.path, 'ja.txt'), 'この契約は署名した日から有効です。支払期限は三十日とします。');
    writeFileSync(join(folder.path, 'ko.txt'), '이 계약은 서명한 날부터 효력이 있습니다. 지급 기한은 삼십 일입니다.');
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    expect(await find(library, '付款期限')).toEqual(['zh.txt#0']);
    expect(await find(library, '支払期限')).toEqual(['ja.txt#0']);
    expect(await find(library, '계약 기한')).toEqual(['ko.txt#0']);
  });

  test('rows of a table that a page does not show are found', async () => {
    using folder = temporaryFolder();
    const rows = Array.from({ length: 5000 }, (_, row) => `${row},item${row}`);
    writeFileSync(join(folder.path, 'long.csv'), `n,name\n${rows.join('\n')}\n`);
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    const { hits } = await search(library, 'item4711');
    expect(hits[0]?.passage).toContain('item4711');
  });

  test('changed, new and removed documents are found as they are', async () => {
    using folder = temporaryFolder();
    const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
    write('a.md', 'apples grow here');
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    expect(await find(library, 'apples')).toEqual(['a.md#0']);
    write('a.md', 'pears grow here instead');
    write('b.md', 'quinces');
    expect(await find(library, 'apples')).toEqual([]);
    expect(await find(library, 'pears')).toEqual(['a.md#0']);
    expect(await find(library, 'quinces')).toEqual(['b.md#0']);
    rmSync(join(folder.path, 'b.md'));
    expect(await find(library, 'quinces')).toEqual([]);
  });

  test('operators and quotes of a query are words', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.md'), 'AND OR NOT near the "door"');
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    for (const query of [
      'AND',
      '"',
      'door" OR "x',
      'NEAR(door)',
      "'; DROP TABLE pages; --",
      'text:door',
      '*',
      '^door',
    ]) {
      await library.search(query);
    }
    expect(await find(library, '"near the"')).toEqual(['a.md#0']);
  });

  test('the index survives a restart, a crash of its owner and damage', async () => {
    using folder = temporaryFolder();
    using cache = temporaryFolder();
    writeFileSync(join(folder.path, 'a.md'), 'apples');
    const options = { host: 'documents', folders: [folder.path], indexFile: join(cache.path, 'index.json') };
    const searchAgain = async () => {
      await using library = await DocumentLibrary.open(options);
      return await find(library, 'apples');
    };
    expect(await searchAgain()).toEqual(['a.md#0']);
    expect(readdirSync(cache.path)).toContain('index.sqlite');
    writeFileSync(join(cache.path, 'index.sqlite.owner'), '999999999');
    mkdirSync(join(cache.path, 'index.sqlite.lock'));
    expect(await searchAgain()).toEqual(['a.md#0']);
    writeFileSync(join(cache.path, 'index.sqlite'), 'no database, but long enough to be read as one '.repeat(100));
    expect(await searchAgain()).toEqual(['a.md#0']);
  });

  test('a damaged document does not keep others from being found', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.pdf'), '%PDF-1.7 broken');
    writeFileSync(join(folder.path, 'b.docx'), 'no archive');
    writeFileSync(join(folder.path, 'c.md'), 'apples');
    const { DocumentLibrary: Library } = await builtLibrary();
    await using library = await Library.open({ folders: [folder.path] });
    expect(await find(library, 'apples')).toEqual(['c.md#0']);
  });

  test('a search whose index cannot be opened fails at once and says why, and the next one opens it again', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.md'), 'apples');
    const { DocumentLibrary: Library } = await builtLibrary();
    await using library = await Library.open({ folders: [folder.path] });
    const { TMPDIR } = process.env;
    process.env.TMPDIR = join(folder.path, 'missing');
    try {
      const failed = library.search('apples');
      await expect(failed).rejects.toThrow(/^The search index has ended: ENOENT/);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    expect(await find(library, 'apples')).toEqual(['a.md#0']);
  });

  verifies('search.mcp-server', async () => {
    await using client = await DocumentsClient.open([examples, '--authority', 'com.example.docs']);
    const { tools } = await client.mcp.listTools();
    expect(tools).toMatchObject([
      { name: 'search_documents', annotations: { readOnlyHint: true }, _meta: { document_search: true } },
    ]);
    const call = () => client.mcp.callTool({ name: 'search_documents', arguments: { query: 'espresso', limit: 2 } });
    await eventually(async () => expect((await call()).structuredContent).toMatchObject({ pending: 0 }));
    const result = await call();
    expect(result.structuredContent).toMatchObject({
      pending: 0,
      hits: expect.arrayContaining([
        expect.objectContaining({ uri: expect.stringMatching(/^dpe:\/\/com\.example\.docs\/.*\/pages\/\d+$/) }),
      ]),
    });
    const [hit] = (result.structuredContent as { hits: { uri: string }[] }).hits;
    const page = await client.page(`${hit?.uri}?format=markdown`);
    expect(page.content_markdown?.toLowerCase()).toContain('espresso');
    const ofType = (file_type: unknown) =>
      client.mcp.callTool({ name: 'search_documents', arguments: { query: 'Station', file_type } });
    const { hits } = (await ofType('pptx')).structuredContent as { hits: { doc_ref: string }[] };
    expect(new Set(hits.map(({ doc_ref }) => doc_ref))).toEqual(new Set(['slides.pptx']));
    await expect(ofType(7)).rejects.toThrow(/file_type/);
    await expect(client.mcp.callTool({ name: 'search_documents', arguments: { query: ' ' } })).rejects.toThrow(/query/);
    await expect(client.mcp.callTool({ name: 'none', arguments: {} })).rejects.toThrow(/none/);
  });
});
