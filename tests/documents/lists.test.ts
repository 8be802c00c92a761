import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AlignmentType,
  Document,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
} from 'docx';
import { strToU8, zipSync } from 'fflate';
import PDFDocument from 'pdfkit';
import pptxgen from 'pptxgenjs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './client.ts';
import { hasLibreOffice, LibreOffice } from './libreoffice.ts';
import { readBytes } from './reading.ts';

const level = (place: number, format: (typeof LevelFormat)[keyof typeof LevelFormat], text: string, start = 1) => ({
  level: place,
  format,
  text,
  start,
  alignment: AlignmentType.START,
});

/** A contract: numbered headings, clauses, letters, and a list that goes on after a table and a picture of words. */
async function contract(): Promise<Uint8Array> {
  const clause = (text: string, place: number) =>
    new Paragraph({ text, numbering: { reference: 'law', level: place } });
  const step = (text: string, instance = 0) =>
    new Paragraph({ text, numbering: { reference: 'steps', level: 0, instance } });
  const heading = (text: string) =>
    new Paragraph({ text, heading: HeadingLevel.HEADING_1, numbering: { reference: 'law', level: 0 } });
  const cell = (child: Paragraph) => new TableCell({ children: [child] });
  const document = new Document({
    numbering: {
      config: [
        {
          reference: 'law',
          levels: [
            level(0, LevelFormat.DECIMAL, '%1'),
            level(1, LevelFormat.DECIMAL, '%1.%2'),
            level(2, LevelFormat.LOWER_LETTER, '(%3)'),
          ],
        },
        { reference: 'steps', levels: [level(0, LevelFormat.UPPER_ROMAN, '%1.', 3)] },
        { reference: 'articles', levels: [level(0, LevelFormat.CHINESE_COUNTING, '第%1条')] },
      ],
    },
    sections: [
      {
        children: [
          heading('Scope'),
          clause('The seller delivers.', 1),
          clause('coffee beans', 2),
          clause('filters', 2),
          clause('The buyer pays.', 1),
          heading('Term'),
          clause('It ends in May.', 1),
          step('Third'),
          new Table({
            rows: [
              new TableRow({ children: [cell(step('in a cell')), cell(new Paragraph('price'))] }),
              new TableRow({ children: [cell(step('below')), cell(new Paragraph('5'))] }),
            ],
          }),
          step('Sixth'),
          new Paragraph({ text: '合同生效', numbering: { reference: 'articles', level: 0 } }),
          new Paragraph({ text: '付款期限', numbering: { reference: 'articles', level: 0 } }),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

describe('numbers of lists', () => {
  test('docx keeps the numbers of headings, clauses, cells, and lists that go on after a table', async () => {
    const { markdown } = await readBytes('contract.docx', await contract());
    for (const line of [
      '# 1 Scope',
      '- 1.1 The seller delivers.',
      '- (a) coffee beans',
      '- (b) filters',
      '- 1.2 The buyer pays.',
      '# 2 Term',
      '- 2.1 It ends in May.',
      '- III. Third',
      '| IV. in a cell | price |',
      '| V. below | 5 |',
      '- VI. Sixth',
      '- 第一条 合同生效',
      '- 第二条 付款期限',
    ]) {
      expect(markdown.split('\n').map(text => text.trim())).toContain(line);
    }
  });

  test.runIf(hasLibreOffice)('docx has the numbers that LibreOffice shows', { timeout: 120_000 }, async () => {
    using folder = temporaryFolder();
    using office = new LibreOffice();
    const path = join(folder.path, 'contract.docx');
    writeFileSync(path, await contract());
    const [text = ''] = await office.convert([path], 'txt:Text (encoded):UTF8');
    const shown = readFileSync(text, 'utf8').replace('\ufeff', '');
    const lines = shown.split('\n').filter(line => /^[ \t]*(?:\d|\(|[IVX]+\.|第)/.test(line));
    expect(lines.length).toBeGreaterThan(10);
    const { markdown } = await readBytes('contract.docx', readFileSync(path));
    const squeezed = markdown.replace(/\s+/g, '');
    for (const line of lines) expect(squeezed).toContain(line.replace(/\s+/g, ''));
  });

  test('a table of contents of a docx has its numbers before the titles, and its pages behind them', async () => {
    const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const entry = (...parts: string[]) =>
      `<w:p><w:pPr><w:pStyle w:val="T"/></w:pPr><w:r>${parts.map(part => `<w:t>${part}</w:t>`).join('<w:tab/>')}</w:r></w:p>`;
    const style = '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="toc 1"/></w:style>';
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles';
    const parts = {
      'word/document.xml': `<w:document ${word}><w:body>${entry('Preface', 'iii')}${entry('1.1', 'The rent', '5')}</w:body></w:document>`,
      'word/_rels/document.xml.rels': `<Relationships><Relationship Id="s" Type="${type}" Target="styles.xml"/></Relationships>`,
      'word/styles.xml': `<w:styles ${word}>${style}</w:styles>`,
    };
    const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)]);
    const { markdown } = await readBytes('lease.docx', zipSync(Object.fromEntries(files)));
    expect(markdown).toBe('- Preface … iii\n- 1.1 The rent … 5');
  });

  test('docx takes the level of a clause from its style, and the list from the style that it is based on', async () => {
    const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const style = (id: string, basedOn: string, numbering: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/>` +
      `<w:pPr><w:numPr>${numbering}</w:numPr></w:pPr></w:style>`;
    const definition = (place: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${place}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const levels =
      definition(0, 'decimal', '%1.') + definition(1, 'decimal', '%1.%2') + definition(2, 'lowerLetter', '(%3)');
    const paragraph = (id: string, text: string) =>
      `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const body = [
      paragraph('Clause1', 'General'),
      paragraph('Clause2', 'Rent'),
      paragraph('Clause3', 'Monthly'),
      paragraph('Clause1', 'Other'),
      paragraph('Clause2', 'Repairs'),
    ];
    const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const relation = (name: string) => `<Relationship Id="${name}" Type="${types}/${name}" Target="${name}.xml"/>`;
    const parts = {
      'word/document.xml': `<w:document ${word}><w:body>${body.join('')}</w:body></w:document>`,
      'word/_rels/document.xml.rels': `<Relationships>${relation('styles')}${relation('numbering')}</Relationships>`,
      'word/styles.xml':
        `<w:styles ${word}>${style('Clause1', 'Normal', '<w:numId w:val="7"/>')}` +
        `${style('Clause2', 'Clause1', '<w:ilvl w:val="1"/>')}${style('Clause3', 'Clause2', '<w:ilvl w:val="2"/>')}</w:styles>`,
      'word/numbering.xml':
        `<w:numbering ${word}><w:abstractNum w:abstractNumId="1">${levels}</w:abstractNum>` +
        '<w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
    };
    const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)]);
    const { markdown } = await readBytes('clauses.docx', zipSync(Object.fromEntries(files)));
    expect(markdown.split('\n').map(line => line.replace(/^[ -]*/, ''))).toEqual([
      '1. General',
      '1.1 Rent',
      '(a) Monthly',
      '2. Other',
      '2.1 Repairs',
    ]);
  });

  test('docx keeps the number of an item without words if another is below it', async () => {
    const item = (text: string, place: number) =>
      new Paragraph({ text, numbering: { reference: 'law', level: place } });
    const levels = [level(0, LevelFormat.DECIMAL, '%1.'), level(1, LevelFormat.LOWER_LETTER, '(%2)')];
    const document = new Document({
      numbering: { config: [{ reference: 'law', levels }] },
      sections: [{ children: [item('', 0), item('rent', 1), item('', 0), item('repairs', 0), item('', 0)] }],
    });
    const { markdown } = await readBytes('empty.docx', await Packer.toBuffer(document));
    expect(markdown.split('\n').map(line => line.trim())).toEqual(['1.', '- (a) rent', '3. repairs']);
  });

  test('HTML keeps starts, values, letters and the numbers of nested lists', async () => {
    const page =
      '<ol start=5><li>five<li>six<ul><li>dot</ul><li value=9>nine</ol><ol type=a><li>letter</ol>' +
      '<ol reversed><li>two<li>one</ol>';
    const { markdown, pages } = await readBytes('a.html', page);
    expect(markdown).toBe('5. five\n6. six\n   - dot\n9. nine\n\n- a. letter\n\n2. two\n1. one');
    expect(pages[0]?.elements[0]?.content).toEqual({
      ordered: true,
      items: ['five', 'six', '  dot', 'nine'],
      marks: ['5.', '6.', '-', '9.'],
    });
  });

  test('HTML keeps the numbers of lists in cells and below other blocks of an item', async () => {
    const list = '<ol start="2"><li>grind<li><p>brew</p></ol>';
    const { markdown } = await readBytes('a.html', `<table><tr><td>Do:${list}</td></tr></table>`);
    expect(markdown).toContain('| Do: 2. grind 3. brew |');
    const nested = await readBytes('a.html', `<ul><li>Coffee<div>${list}</div></ul>`);
    expect(nested.markdown).toBe('- Coffee 2. grind 3. brew');
  });

  test('Markdown keeps the number that a list starts with', async () => {
    const { markdown } = await readBytes('a.md', '5. five\n6. six\n\nWords.\n\n7. seven\n   - dot\n');
    expect(markdown).toBe('5. five\n6. six\n\nWords.\n\n7. seven\n   - dot');
  });

  test('pptx keeps starts and letters', async () => {
    const deck = new (pptxgen as unknown as typeof pptxgen.default)();
    const numbered = (text: string, numberStartAt: number, numberType: 'alphaLcParenR' | 'arabicPeriod') => ({
      text,
      options: { bullet: { type: 'number' as const, style: numberType, numberStartAt }, breakLine: true },
    });
    deck
      .addSlide()
      .addText(
        [numbered('four', 4, 'arabicPeriod'), numbered('five', 4, 'arabicPeriod'), numbered('b', 2, 'alphaLcParenR')],
        { x: 1, y: 1, w: 5, h: 3 },
      );
    const { markdown } = await readBytes('a.pptx', (await deck.write({ outputType: 'nodebuffer' })) as Buffer);
    expect(markdown).toContain('4. four\n5. five\n- b) b');
  });

  test('pptx keeps the numbers of titles and of cells', async () => {
    const deck = new (pptxgen as unknown as typeof pptxgen.default)();
    const numbered = (text: string, numberStartAt: number, fontSize: number) => ({
      text,
      options: { bullet: { type: 'number' as const, numberStartAt }, fontSize },
    });
    const slide = deck.addSlide();
    slide.addText([numbered('Parallel lines', 5, 40)], { x: 1, y: 1, w: 8, h: 1 });
    slide.addTable([[{ text: 'Standard' }], [{ text: [numbered('Quote', 2, 12)] }]], { x: 1, y: 3, w: 8 });
    const { markdown } = await readBytes('a.pptx', (await deck.write({ outputType: 'nodebuffer' })) as Buffer);
    expect(markdown).toBe('# 5. Parallel lines\n\n| Standard |\n| --- |\n| 2. Quote |');
  });

  test('pdf keeps the marks that are written', async () => {
    const pdf = new PDFDocument();
    const chunks: Buffer[] = [];
    pdf.on('data', chunk => chunks.push(chunk));
    const ended = new Promise(resolve => pdf.on('end', resolve));
    for (const text of [
      'Some words before the list begins here.',
      '7. seven',
      '8. eight',
      '(b) letter',
      'End of it.',
    ]) {
      pdf.text(text);
    }
    pdf.end();
    await ended;
    const { markdown } = await readBytes('a.pdf', Buffer.concat(chunks));
    expect(markdown).toContain('7. seven\n8. eight\n- (b) letter');
  });
});
