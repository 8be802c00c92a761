import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { LocalSessions } from '../sessions/local.ts';

const files = ['examples/documents/files', 'tests/documents/samples'].flatMap(folder => {
  const path = join(import.meta.dirname, '../../../..', folder);
  return readdirSync(path).map(name => join(path, name));
});
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2c-headers-')));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;

/** Opens a file, reads its first and last pages, and expects no page behind the last. Returns the page count. */
async function expectPages(type: string, bytes: string | Uint8Array): Promise<number> {
  written += 1;
  const path = join(folder, `${written}.${type}`);
  const file = { path, folders: [folder], name: 'file', type, size: Buffer.byteLength(bytes), modified: 0 };
  writeFileSync(path, bytes);
  const sessions = new LocalSessions();
  const { synopsis } = await sessions.synopsis(file, { isBackground: true });
  const { pageCount } = synopsis;
  const context = `${type}: ${String(bytes).slice(0, 2000)}`;
  for (const index of new Set([0, 1, pageCount - 1].filter(page => page < pageCount))) {
    const { synopsis: again, pages } = await sessions.page(file, index);
    expect(again, context).toEqual(synopsis);
    expect(pages, context).toHaveLength(1);
    for (const page of pages) {
      expect(page.elementIds.length, context).toBe(JSON.parse(Buffer.from(page.elements).toString()).length);
    }
  }
  expect(await sessions.page(file, pageCount), context).toEqual({ synopsis, pages: [] });
  expect(await sessions.synopsis(file), context).toEqual({ synopsis, pages: [] });
  await sessions.close();
  rmSync(path);
  return pageCount;
}

describe('readers find the same pages each time, and can read them', () => {
  test.each(files)('the reader of %s finds the same pages each time', async name => {
    expect(await expectPages(extname(name).slice(1), readFileSync(name))).toBeGreaterThan(0);
  });

  test.each(files)('the reader of %s can read every page, however much is cut off or overwritten', async name => {
    const bytes = readFileSync(name);
    const damages = fc.record({ cut: fc.nat(bytes.length), at: fc.nat(bytes.length), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(damages, async ({ cut, at, byte }) => {
        const damaged = Buffer.from(bytes.subarray(0, at % 2 === 0 ? cut : bytes.length));
        damaged[at] = byte;
        await expectPages(extname(name).slice(1), damaged);
      }),
      // Each opening of an encrypted workbook derives its key anew, in 100,000 rounds.
      { numRuns: name.endsWith('locked.xlsx') ? 3 : 12 },
    );
  });

  test('the reader of Markdown can read every page of random blocks', async () => {
    const lines = fc.constantFrom(
      ...['# One', '## Two', '### Three', 'Words', 'Title\n===', 'Title\n---', '- item', '  # deep', '    # code'],
      ...['> # quoted', '```', '~~~', '<!-- # a', '-->', '| a |', '| - |', '', '', '[a]: b', 'x '.repeat(6000), '---'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 30 }), async text => {
        await expectPages('md', text.join('\n'));
      }),
      { numRuns: 60 },
    );
  });

  test('the reader of HTML can read every page of random tags', async () => {
    const parts = fc.constantFrom(
      ...['<h1>One</h1>', '<h2>Two</h2>', '<H2 class=">">', '</h2>', '<p>Words', '</p>', 'loose', '<div>', '</div>'],
      ...['<table><tr><td><h2>x</h2>', '</table>', '<ul><li>a', '</ul>', '<!-- <h1>', '-->', '<script>"<h2>"', '<'],
      ...['</script>', '<img alt="x">', '<pre>', '</pre>', `<p>${'x '.repeat(15_000)}</p>`, '<hr>', '<body>'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 30 }), async text => {
        await expectPages('html', text.join('\n'));
      }),
      { numRuns: 100 },
    );
  });

  test('the reader of docx can read every page of random blocks', async () => {
    const words = (style: string, text: string) => `<w:p><w:pPr>${style}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
    const blocks = fc.constantFrom(
      words(style('Heading1'), 'One'),
      words(style('Custom'), 'Two'),
      words('<w:outlineLvl w:val="2"/>', 'Three'),
      words(style('Heading1'), ' '),
      words('', 'Words'),
      words('', 'x '.repeat(40_000)),
      `<w:sdt><w:sdtContent>${words(style('Heading1'), 'Inside')}</w:sdtContent></w:sdt>`,
      `<w:tbl><w:tr><w:tc>${words(style('Heading1'), 'In a cell')}</w:tc></w:tr></w:tbl>`,
      `<w:p><w:r><w:pict><w:txbxContent>${words(style('Heading1'), 'In a box')}</w:txbxContent></w:pict></w:r></w:p>`,
      '<w:p/>',
      '<w:p w:x="a > b"/>',
      '</w:p>',
      '<w:x>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(blocks, { maxLength: 20 }), async body => {
        await expectPages('docx', docx(body.join('')));
      }),
      { numRuns: 50 },
    );
  });

  test('the readers of text, code and JSON Lines can read every page of any length', async () => {
    const texts = fc.record({
      type: fc.constantFrom('txt', 'py', 'jsonl', 'log', 'json'),
      line: fc.constantFrom('{"a":1}\n', 'line\r\n', 'ü€😀', '\n', '[{"a":1},', ' '),
      length: fc.nat(200_000),
      encoding: fc.constantFrom('utf8' as const, 'utf16le' as const, 'latin1' as const),
    });
    await fc.assert(
      fc.asyncProperty(texts, async ({ type, line, length, encoding }) => {
        await expectPages(type, Buffer.from(line.repeat(length / line.length), encoding));
      }),
      { numRuns: 60 },
    );
  });

  test.each<[string, string, string | Uint8Array]>([
    ['md', 'many chapters', '# A chapter\n\nWords of it.\n\n'.repeat(8000)],
    ['md', 'a single paragraph', 'word '.repeat(40_000)],
    ['md', 'a single table', `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(5000)}`],
    ['html', 'many chapters', '<h1>A chapter</h1><p>Words of it.</p>'.repeat(10_000)],
    ['html', 'hardly any words', `<p>Words</p><script>${'x'.repeat(300_000)}</script>`],
    ['json', 'records', `[${'{"a":1,"b":"c"},'.repeat(8000)}{"a":{"b":1}},5]`],
    ['json', 'one large object', `{"a":[${'1,'.repeat(60_000)}1]}`],
    ['json', 'records that are cut off', `[${'{"a":1,"b":"c"},'.repeat(8000)}`],
    [
      'docx',
      'many chapters',
      docx('<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p>'.repeat(20_000)),
    ],
    ['docx', 'a body that breaks off', docx(`${'<w:p><w:r><w:t>A</w:t></w:r></w:p>'.repeat(40_000)}<w:p>`)],
  ])('the reader of a long %s with %s can read every page', { timeout: 90_000 }, async (type, _, bytes) => {
    expect(await expectPages(type, bytes)).toBeGreaterThan(0);
  });
});

function docx(body: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = {
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${main}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships><Relationship Id="a" Type="${main}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml':
      '<w:styles><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>' +
      '<w:style w:styleId="Custom"><w:name w:val="Mine"/><w:basedOn w:val="Base"/></w:style>' +
      '<w:style w:styleId="Base"><w:name w:val="Base"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>',
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  };
  const packed = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(packed), { level: 1 });
}
