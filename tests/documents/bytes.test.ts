import { readdirSync } from 'node:fs';
import type { ByteDocument, ByteDocuments, DocumentBytes } from '@a2c-smcp/documents';
import { ErrorCode } from '@a2c-smcp/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { slowDocx } from '../hostile/documents-files.ts';
import { builtLibrary, temporaryFolder } from './client.ts';

const text = (content: string, mimeType?: string): DocumentBytes => ({
  bytes: Buffer.from(content),
  isText: true,
  mimeType,
});

/** Documents whose bytes a test may replace, parsed in workers as in a user's process. */
async function openBytes(
  bytes: Record<string, DocumentBytes>,
  more: { parseTimeout?: number; maxBytes?: number } = {},
) {
  const loads: string[] = [];
  const changed: string[] = [];
  const documents = Object.keys(bytes).map(
    (name): ByteDocument => ({ ref: name, fileName: name, fileUri: `x:/${name}` }),
  );
  const { ByteDocuments } = await builtLibrary();
  const opened: ByteDocuments = new ByteDocuments({
    host: 'com.example',
    list: async () => documents,
    find: async ref => documents.find(document => document.ref === ref),
    load: async ({ ref }) => {
      loads.push(ref);
      return bytes[ref] as DocumentBytes;
    },
    onChanged: ref => changed.push(ref),
    ...more,
  });
  const read = async (path: string) => {
    const [content] = await opened.read(`dpe://com.example/${path}`);
    return content && 'text' in content ? content.text : '';
  };
  return { documents: opened, bytes, loads, changed, read, [Symbol.asyncDispose]: () => opened.close() };
}

afterEach(() => void vi.unstubAllEnvs());

describe('documents made of bytes', () => {
  test('bytes are read as what their MIME type or name says, once, and again only after they were forgotten', async () => {
    using folder = temporaryFolder();
    vi.stubEnv('TMPDIR', folder.path);
    await using library = await openBytes({
      'plan.md': text('# Plan\n\nBuy beans'),
      page: text('<h1>Home</h1><p>Welcome', 'text/html; charset=utf-8'),
      note: text('just words'),
      'sales.csv': { bytes: Buffer.from('shop,cups\nHarbour,9\n'), isText: false },
      '../../etc/passwd': text('no way out'),
    });
    expect(await library.read('plan.md')).toMatch(/"title":"Plan".*"page_count":1/);
    expect(await library.read('page/pages/0?format=markdown')).toContain('# Home');
    expect(await library.read('note/pages/0?format=text')).toContain('just words');
    expect(await library.read('sales.csv/pages/0')).toContain('"rows":[["Harbour",9]]');
    expect(await library.read('..%2F..%2Fetc%2Fpasswd/pages/0')).toContain('no way out');
    await library.read('plan.md/pages/0');
    expect(library.loads).toEqual(['plan.md', 'page', 'note', 'sales.csv', '../../etc/passwd']);
    library.documents.forget('plan.md');
    await library.read('plan.md');
    expect(library.changed).toEqual([]);
    library.bytes['plan.md'] = text('# Other plan');
    library.documents.forget('plan.md');
    expect(await library.read('plan.md')).toContain('Other plan');
    expect(library.changed).toEqual(['plan.md']);
    await expect(library.read('nothing')).rejects.toMatchObject({ code: ErrorCode.DocumentNotFound });
    await expect(library.read('note/pages/1')).rejects.toMatchObject({ code: ErrorCode.PageOutOfRange });
    expect(readdirSync(folder.path)).toHaveLength(1);
    await library.documents.close();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('a document that takes too long, is too large or has no reader says so, and others are read meanwhile', async () => {
    const slow = { bytes: slowDocx(), isText: false };
    await using library = await openBytes(
      {
        'slow.docx': slow,
        'large.txt': text('x'.repeat(2 * 1024 * 1024)),
        'song.mp3': { bytes: Buffer.from('ID3'), isText: false, mimeType: 'audio/mpeg' },
        'broken.pdf': { bytes: Buffer.from('%PDF-1.4 nothing'), isText: false },
        'control.txt': text('sound'),
      },
      { parseTimeout: 400, maxBytes: Math.max(slow.bytes.length, 1024 * 1024) },
    );
    const parsing = library.read('slow.docx/pages/0');
    expect(await library.read('control.txt/pages/0')).toContain('sound');
    expect(await library.read('large.txt/pages/0')).toContain('It has 2.0 MiB, and at most');
    expect(await library.read('song.mp3/pages/0')).toContain("No reader knows its type 'audio/mpeg'");
    expect(await library.read('broken.pdf/pages/0')).toContain('cannot be read');
    expect(await parsing).toContain('cannot be read');
  });

  test('a document that is forgotten while it is loaded is loaded again, but not forever', async () => {
    const { ByteDocuments } = await builtLibrary();
    let loads = 0;
    const document: ByteDocument = { ref: 'a', fileName: 'a.txt', fileUri: 'x:/a' };
    const isRestless = { value: false };
    await using documents: ByteDocuments = new ByteDocuments({
      host: 'com.example',
      list: async () => [document],
      find: async () => document,
      load: async () => {
        loads += 1;
        await Promise.resolve();
        if (loads === 1 || isRestless.value) documents.forget('a');
        return text(`load ${loads}`);
      },
    });
    const [content] = await documents.read('dpe://com.example/a/pages/0');
    expect(content).toHaveProperty('text', expect.stringContaining('load 2'));
    isRestless.value = true;
    documents.forget();
    await expect(documents.read('dpe://com.example/a/pages/0')).rejects.toThrow(
      "'a' changes faster than it can be read",
    );
    expect(loads).toBe(5);
  });
});
