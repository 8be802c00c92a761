import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { root } from '../packages.ts';
import { DocumentsClient, examples, temporaryFolder } from './client.ts';
import { png } from './image-files.ts';
import { readBytes } from './reading.ts';

const samples = join(root, 'tests/documents/samples');

test.each([
  ['report.docx', examples],
  ['slides.pptx', examples],
  ['slides.ppt', samples],
])('a picture in %s is beside the JSON of its element', async (name, folder) => {
  await using client = await DocumentsClient.open([folder]);
  const uri = `dpe://documents/${name}`;
  const { page_count } = await client.document(uri);
  const pages = await Promise.all(Array.from({ length: page_count }, (_, page) => client.page(`${uri}/pages/${page}`)));
  const picture = pages.flatMap(({ elements }) => elements).findLast(({ category }) => category === 'image');
  const address = `${uri}/elements/${picture?.element_id}`;
  const { contents } = await client.mcp.readResource({ uri: address });
  expect(contents).toMatchObject([
    { mimeType: 'application/json' },
    { uri: address, mimeType: expect.stringMatching(/^image\/(?:png|jpeg)$/) },
  ]);
  const blob = contents[1] !== undefined && 'blob' in contents[1] ? String(contents[1].blob) : '';
  expect(Buffer.from(blob, 'base64').subarray(0, 4).toString('hex')).toMatch(/^(?:89504e47|ffd8ff)/);
});

test('a picture of a book is handed over, and its page is another one with another picture', async () => {
  const parts = unzipSync(readFileSync(join(samples, 'lease.epub')));
  const chapter = 'OEBPS/sections/section0001.xhtml';
  const text = Buffer.from(parts[chapter] ?? []).toString();
  parts[chapter] = strToU8(text.replace('</body>', '<img alt="The shop" src="../a%20picture.png"/></body>'));
  using folder = temporaryFolder();
  const hashes: (string | undefined)[] = [];
  for (const [name, bytes] of [
    ['a.epub', png(5, 5)],
    ['b.epub', png(6, 6)],
  ] as const) {
    parts['OEBPS/a picture.png'] = new Uint8Array(bytes);
    writeFileSync(join(folder.path, name), zipSync(parts));
    await using client = await DocumentsClient.open([folder.path]);
    const { elements, hash } = await client.page(`dpe://documents/${name}/pages/0`);
    hashes.push(hash);
    const id = elements.find(({ category }) => category === 'image')?.element_id;
    const { contents } = await client.mcp.readResource({ uri: `dpe://documents/${name}/elements/${id}` });
    expect(contents[1]).toMatchObject({ mimeType: 'image/png', blob: bytes.toString('base64') });
  }
  expect(hashes[0]).not.toBe(hashes[1]);
});

test.each(['report.docx', 'slides.pptx'])('a page of %s is another one when its picture is replaced', async name => {
  const bytes = readFileSync(join(examples, name));
  const parts = unzipSync(bytes);
  for (const part of Object.keys(parts)) if (/\/media\/.+\.png$/.test(part)) parts[part] = new Uint8Array(png(7, 7));
  const [before, after] = [await readBytes(name, bytes), await readBytes(name, zipSync(parts))];
  const changed = before.pages.map(({ hash }, index) => hash !== after.pages[index]?.hash);
  const withPicture = before.pages.map(({ elements }) => elements.some(({ category }) => category === 'image'));
  expect(withPicture).toContain(true);
  expect(changed).toEqual(withPicture);
  expect(after.markdown).toBe(before.markdown);
});
