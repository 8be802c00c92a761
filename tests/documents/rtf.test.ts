import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { DocumentsClient, temporaryFolder } from './client.ts';
import { readBytes } from './reading.ts';

/** A red pixel. */
const png =
  '89504e470d0a1a0a0000000d49484452000000010000000108020000009077' +
  '53de0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082';

const lease = readFileSync(join(root, 'tests/documents/samples/lease.rtf'));

describe('rtf', () => {
  test.each(['constructor', 'toString', 'valueOf'])('the unknown word %s is not shown', async word => {
    const text = `{\\rtf1{\\pard{\\*\\pn\\${word}\\pndec\\pnstart1{\\pntxta .}}a\\${word} b\\par}}`;
    expect((await readBytes('a.rtf', Buffer.from(text))).markdown).toBe('1. ab');
  });

  test('has headings, numbers, links, notes, tables and letters of every code page', async () => {
    const { document, pages, markdown } = await readBytes('lease.rtf', lease);
    expect(document).toMatchObject({
      title: 'Lease of the shop',
      keywords: expect.arrayContaining(['harbour', 'shop']),
    });
    expect(pages[0]?.title).toBe('Scope');
    expect(markdown).toBe(
      [
        '[header: The city]',
        '# Scope',
        'The city lets the shop[^1] to [the roaster](https://example.com/plan).',
        '[annotation: [^1]: As agreed in März.]',
        '## 1.1 Terms',
        '3. Rent is due monthly.\n   - (b) in cash\n4. Repairs are shared.',
        '- Keys',
        '中国 日本 and 中文 😀',
        '| Month | Rent | Paid |\n| --- | --- | --- |\n| May and June |  | yes no |',
        '[image: A red dot]',
        'Done…',
        '[annotation: Ada: Ask them.]',
        '[footer: Page one]',
      ].join('\n\n'),
    );
  });

  test('a part of a document without its frame is read', async () => {
    const { markdown } = await readBytes('part.rtf', ['{\\pard \\ql Grind\\par}', '{\\pard Brew\\par}'].join('\n'));
    expect(markdown).toBe('Grind\n\nBrew');
  });

  test('a tab before the number of an item is not part of it', async () => {
    const item = (mark: string, text: string) => String.raw`{\pard\ls1\ilvl0{\listtext\tab ${mark}\tab}${text}\par}`;
    const { markdown } = await readBytes('steps.rtf', String.raw`{\rtf1 ${item('3.', 'Grind')}${item('4.', 'Brew')}}`);
    expect(markdown).toBe('3. Grind\n4. Brew');
  });

  test('paragraphs that Word 6 numbered are counted where the file has no numbers', async () => {
    const numbered = (words: string, more = '') =>
      String.raw`\pard{\*\pn\pnlvlbody\pndec\pnstart3${more}{\pntxtb (}{\pntxta )}}${words}\par `;
    const bullet = String.raw`\pard{\*\pn\pnlvlblt\pnf1{\pntxtb \'b7}}Keys\par `;
    const plain = String.raw`\pard Repairs\par `;
    const letter = String.raw`\pard{\*\pn\pnlvlbody\pnlcltr{\pntxta .}}cash\par `;
    const body = [numbered('Rent'), numbered('Deposit'), bullet, plain, numbered('Heating'), letter, letter].join('');
    const { markdown } = await readBytes('old.rtf', String.raw`{\rtf1 ${body}}`);
    expect(markdown).toBe('- (3) Rent\n- (4) Deposit\n\n- Keys\n\nRepairs\n\n- (3) Heating\n- a. cash\n- b. cash');
  });

  test('numbers that WordPad wrote beside its definitions are kept, also in a font of symbols', async () => {
    const item = (mark: string, words: string) =>
      String.raw`\pard{\pntext\f2 ${mark}\tab}{\*\pn\pnlvlbody\pnf2\pndec{\pntxta .}}${words}\par `;
    const fonts = String.raw`{\fonttbl{\f2\fcharset2 Symbol;}}`;
    const { markdown } = await readBytes(
      'pad.rtf',
      String.raw`{\rtf1${fonts}${item('7.', 'Rent')}${item('8.', 'Keys')}}`,
    );
    expect(markdown).toBe('7. Rent\n8. Keys');
  });

  test('a picture is beside the JSON of its element', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'lease.rtf'), lease);
    await using client = await DocumentsClient.open([folder.path]);
    const { elements } = await client.page('dpe://documents/lease.rtf/pages/0');
    const picture = elements.find(({ category }) => category === 'image');
    const { contents } = await client.mcp.readResource({
      uri: `dpe://documents/lease.rtf/elements/${picture?.element_id}`,
    });
    expect(contents[1]).toMatchObject({ mimeType: 'image/png', blob: Buffer.from(png, 'hex').toString('base64') });
  });

  test.each([
    ['no.rtf', 'plain words', /not an RTF document/],
    ['deep.rtf', `{\\rtf1 ${'{'.repeat(100_000)}`, /too deeply/],
  ])('%s shows why it cannot be read', async (name, text, why) => {
    const { document } = await readBytes(name, text);
    expect(document).toMatchObject({ page_count: 1, summary: expect.stringMatching(why) });
  });

  test('what is cut off, miscounted or wild is read as far as it goes', async () => {
    const wild = String.raw`{\rtf1\ansi\uc999999999\ansicpg99999 a\bin99999999999 b\par}}}}{\'zz\'`;
    expect((await readBytes('wild.rtf', wild)).markdown).toBe('a');
    const rows = String.raw`\trowd${'\\cellx9'.repeat(5000)}${'\\cell'.repeat(5000)}\row`.repeat(20);
    const { pages } = await readBytes('rows.rtf', `{\\rtf1 ${rows} end\\par\\u55357 x{`);
    expect(pages[0]?.content_markdown).toContain('end');
  });
});
