import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, describe, expect, test } from 'vitest';
import { splitFrontMatter } from '../markdown/front-matter.ts';
import { decodeText } from './encoding.ts';
import { openPlainText } from './read.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2c-text-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** The pages of a text file with these bytes. */
async function pagesOf(bytes: string | Uint8Array): Promise<string[]> {
  const path = join(folder, 'file.txt');
  writeFileSync(path, bytes);
  const document = await openPlainText({
    path,
    folders: [folder],
    name: 'file',
    type: 'txt',
    size: Buffer.byteLength(bytes),
    modified: 0,
  });
  const pages: string[] = [];
  for (let index = 0; index < document.pageCount; index += 1) {
    const { elements } = await document.page(index);
    pages.push(elements.map(({ content }) => content.text).join('\n\n'));
  }
  await document.close();
  return pages;
}

describe('plain text', () => {
  test('plain text is cut at blank lines and loses nothing', async () => {
    const paragraphs = Array.from({ length: 1500 }, (_, index) => `Paragraph ${index}\nwith a second line.`);
    const pages = await pagesOf(`${paragraphs.join('\n\n')}\n`);
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.join('\n\n')).toBe(paragraphs.join('\n\n'));
  });

  test('plain text without any line break is cut between characters', async () => {
    const text = 'ü€😀'.repeat(40_000);
    const pages = await pagesOf(text);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.join('')).toBe(text);
  });

  test.each(['gb18030', 'shift_jis', 'big5'])(
    'text in %s without any line break is cut between characters',
    async encoding => {
      const text = '日本人大中年出本'.repeat(10_000);
      const pages = await pagesOf(iconv.encode(text, encoding));
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.join('')).toBe(text);
    },
  );

  test.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'text in %s is cut at the ends of lines',
    async encoding => {
      // Half of these characters is a byte of 10.
      const line = 'ਊ Ċ 日本人大中年出本';
      const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${line}`);
      const pages = await pagesOf(iconv.encode(lines.join('\n'), encoding));
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.join('\n')).toBe(lines.join('\n'));
    },
  );

  test('lines in another encoding than the beginning are decoded on their page', async () => {
    const lines = 'started the server at noon\n'.repeat(200_000);
    const pages = await pagesOf(iconv.encode(`${lines}Ошибка соединения с сервером\n`, 'windows-1251'));
    expect(pages.at(-1)).toContain('Ошибка соединения с сервером');
  });

  test('an empty text file is one empty page', async () => {
    expect(await pagesOf('')).toEqual(['']);
  });
});

test.each([
  ['UTF-8 with a mark', Buffer.from('\uFEFFgrün\r\n'), 'grün\n'],
  ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün', 'utf16le')]), 'grün'],
  ['Windows-1252', Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x20, 0x80]), 'grün €'],
])('text in %s is decoded', (_, bytes, text) => {
  expect(decodeText(bytes)).toBe(text);
});

test('YAML front matter of Markdown gives title, summary and keywords', () => {
  const { facts, body } = splitFrontMatter(
    '---\ntitle: "A: B"\ntags: [one, \'two\']\ndescription: Words\n---\n# Text\n',
  );
  expect(facts).toEqual({ title: 'A: B', summary: 'Words', keywords: ['one', 'two'] });
  expect(body).toBe('# Text\n');
  expect(splitFrontMatter('# Text\n---\n')).toEqual({ facts: {}, header: '', body: '# Text\n---\n' });
});
