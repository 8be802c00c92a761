import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { Document, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { describe, expect, test, vi } from 'vitest';
import { FileSource } from '../../packages/documents/src/file.ts';
import { loadPdf } from '../../packages/documents/src/formats/pdf/load.ts';
import { DocumentsClient, temporaryFolder } from './client.ts';
import { hasLibreOffice, LibreOffice } from './libreoffice.ts';
import { readBytes } from './reading.ts';
import { draw as drawPdf, type Pdf } from './scanned-files.ts';

function draw(paint: (pdf: Pdf) => void, info: Record<string, string> = {}): Promise<Buffer> {
  return drawPdf(paint, { info });
}

/** Words in columns of 120 points from the left, one line for each list. */
function columns(pdf: Pdf, rows: string[][], top = 100): void {
  for (const [row, cells] of rows.entries()) {
    for (const [column, text] of cells.entries())
      pdf.text(text, 60 + 120 * column, top + 16 * row, { lineBreak: false });
  }
}

test('the text of each page of a PDF is read once, and its drawing operators only if there is a picture', async () => {
  const bytes = await draw(pdf => {
    pdf.text('A page of text alone.');
    pdf.addPage().text('A page with a line.').moveTo(60, 200).lineTo(420, 200).stroke();
    pdf.addPage().text('A page with a picture.').image(blackPng(40, 40), 60, 200, { width: 90 });
  });
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.pdf');
  writeFileSync(path, bytes);
  await using source = await FileSource.open({ path, folders: [realpathSync(folder.path)] });
  const { pdf } = await loadPdf(source, bytes.length, { maxPixels: 1, drawsFonts: false });
  const { prototype } = (await pdf.getPage(1)).constructor;
  await pdf.destroy();
  const text = vi.spyOn(prototype, 'getTextContent');
  const operators = vi.spyOn(prototype, 'getOperatorList');
  try {
    const { markdown } = await readBytes('a.pdf', bytes);
    expect(markdown).toContain('A page of text alone.');
    expect(markdown).toContain('A page with a line.');
    expect(markdown).toContain('[image: Picture 1, 90 by 90 points]');
    expect([text.mock.calls.length, operators.mock.calls.length]).toEqual([3, 1]);
  } finally {
    text.mockRestore();
    operators.mockRestore();
  }
});

test('hyphens that a PDF calls soft are shown, and divided words made whole', async () => {
  const { markdown } = await readBytes('a.pdf', softHyphens(['Get emacs-snapshot-gtk for a pack-', 'age of it.']));
  expect(markdown).toBe('Get emacs-snapshot-gtk for a package of it.');
});

/** A page of lines whose font has soft hyphens in the place of hyphens, as OpenOffice writes them. */
function softHyphens(lines: string[]): Buffer {
  const shown = lines.map(line => `(${line}) Tj 0 -14 Td`).join(' ');
  const names = '2 beginbfrange <20> <2c> <0020> <2e> <7e> <002e> endbfrange 1 beginbfchar <2d> <00ad> endbfchar';
  const stream = (text: string) => `<< /Length ${text.length} >> stream\n${text}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(`BT /F 12 Tf 40 300 Td ${shown} ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    stream(`begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${names} endcmap`),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj ${object} endobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 7 >>\nstartxref\n0\n%%EOF\n`);
}

test('running text of a PDF whose first pages have smaller letters is no heading', async () => {
  const bytes = await draw(pdf => {
    for (let page = 0; page < 4; page += 1) {
      pdf.fontSize(8).text('Small print of the contract. '.repeat(60));
      pdf.addPage();
    }
    pdf.fontSize(18).text('Disposal').fontSize(11);
    for (let paragraph = 0; paragraph < 8; paragraph += 1) pdf.moveDown().text('The office keeps a record. '.repeat(6));
  });
  const { pages } = await readBytes('a.pdf', bytes);
  const headings = pages[4]?.content_markdown?.split('\n').filter(line => line.startsWith('#'));
  expect(headings).toEqual(['# Disposal']);
});

describe('tables of PDFs', () => {
  test.each([90, 180, 270])('a page that is turned by %i degrees is read as it is shown', async degrees => {
    const rows = [
      ['City', 'Rooms', 'Rent'],
      ['Bern', '12', '900'],
      ['Genf', '15', '1100'],
      ['Chur', '9', '700'],
    ];
    const bytes = await draw(pdf => {
      Object.assign(pdf.page.dictionary.data, { Rotate: degrees });
      pdf.rotate(-degrees, { origin: [300, 300] });
      columns(pdf, rows, 200);
    });
    const { markdown } = await readBytes('a.pdf', bytes);
    expect(markdown).toContain(
      rows
        .map(row => `| ${row.join(' | ')} |`)
        .join('\n')
        .replace('\n', '\n| --- | --- | --- |\n'),
    );
  });

  test('lines make a table, with cells of several lines, empty cells and cells over two columns', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf => {
        pdf.text('Before the table.', 60, 60);
        for (const y of [100, 130, 180, 210]) pdf.moveTo(60, y).lineTo(420, y).stroke();
        for (const x of [60, 180, 420]) pdf.moveTo(x, 100).lineTo(x, 210).stroke();
        pdf.moveTo(300, 100).lineTo(300, 180).stroke();
        pdf.text('Item', 65, 110).text('Note', 185, 110).text('Price', 305, 110);
        pdf.text('Beans', 65, 140).text('roasted on', 185, 140).text('Mondays', 185, 155);
        pdf.text('Total', 65, 190).text('on request', 260, 190, { lineBreak: false });
        pdf.text('After the table.', 60, 240);
      }),
    );
    expect(markdown).toContain(
      'Before the table.\n\n| Item | Note | Price |\n| --- | --- | --- |\n' +
        '| Beans | roasted on Mondays |  |\n| Total | on request |  |\n\nAfter the table.',
    );
  });

  test('two rows of three columns are a table, also when the first column has numbers with dots', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf =>
        columns(pdf, [
          ['No.', 'Year', 'Cups'],
          ['1.', '1967', '30'],
          ['2.', '1968', '45'],
        ]),
      ),
    );
    expect(markdown).toContain('| No. | Year | Cups |\n| --- | --- | --- |\n| 1. | 1967 | 30 |\n| 2. | 1968 | 45 |');
  });

  test('a line in one column goes on with the cell above it', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf => {
        columns(pdf, [
          ['Name', 'Remark', 'Cups'],
          ['North', 'closed on', '5'],
        ]);
        pdf.text('Sundays', 180, 129, { lineBreak: false });
        columns(pdf, [['South', 'open', '7']], 150);
      }),
    );
    expect(markdown).toContain('| North | closed on Sundays | 5 |\n| South | open | 7 |');
  });

  test('a frame around a paragraph is no table', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf => {
        pdf.rect(50, 90, 400, 60).stroke();
        pdf.text('A remark in a frame.', 60, 100);
      }),
    );
    expect(markdown).toBe('A remark in a frame.');
  });

  test.runIf(hasLibreOffice)('rows of a table by LibreOffice come out whole', { timeout: 120_000 }, async () => {
    const rows = [
      ['Clause', 'Obligation of the seller and of the buyer', 'Days'],
      ['1.', 'Deliver the coffee beans in good condition, and inform the buyer about each delay in writing.', '30'],
      ['2.', '', '14'],
      ['3.', 'Pay the invoice.', ''],
    ];
    const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
    const table = new Table({
      rows: rows.map(row => new TableRow({ children: row.map(cell) })),
      width: { size: 6000, type: 'dxa' },
    });
    using folder = temporaryFolder();
    using office = new LibreOffice();
    const path = join(folder.path, 'a.docx');
    writeFileSync(path, await Packer.toBuffer(new Document({ sections: [{ children: [table] }] })));
    const [pdf = ''] = await office.convert([path], 'pdf');
    const { markdown } = await readBytes('a.pdf', readFileSync(pdf));
    for (const row of rows) expect(markdown).toContain(`| ${row.join(' | ')} |`);
  });
});

describe('text of PDFs', () => {
  test('letters that are set apart are words, and names of columns are not', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf => {
        pdf.text('The Metropolis of tomorrow', { characterSpacing: 3 }).text('ANNUAL REPORT', { characterSpacing: 4 });
        pdf.text('a b c').text('A B C D E F G').text('1 2 3 4 5 6 7');
      }),
    );
    const words = markdown.replace(/\s+/g, ' ');
    expect(words).toBe('The Metropolis of tomorrow ANNUAL REPORT a b c A B C D E F G 1 2 3 4 5 6 7');
  });

  test('letters further apart than a third of their size stay single', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf => pdf.text('Hello World', { characterSpacing: 5 }).text('Hello World', { characterSpacing: 3 })),
    );
    expect(markdown.replace(/\s+/g, ' ')).toBe('H e l l o W o r l d Hello World');
  });

  test('fields of a form are named by the words beside them', async () => {
    const { markdown } = await readBytes(
      'a.pdf',
      await draw(pdf => {
        pdf.font('Helvetica').initForm();
        pdf.text('Full name:', 72, 100).text('Married', 200, 140).text('Country', 72, 160);
        pdf.formText('f1_01', 180, 95, 200, 20, { value: 'Ada Beck' }).formCheckbox('cb11', 180, 138, 12, 12, {});
        pdf.formCombo('cty', 72, 175, 100, 20, { select: ['AT', 'DE'], value: 'DE' });
      }),
    );
    const fields = markdown.split('\n').filter(line => line.startsWith('[form'));
    expect(fields).toEqual(['[form: Full name: Ada Beck]', '[form: Married: no]', '[form: Country: DE]']);
  });

  test.runIf(hasLibreOffice)(
    'a document of nothing but equally wide letters is text and no listing',
    { timeout: 120_000 },
    async () => {
      using folder = temporaryFolder();
      using office = new LibreOffice();
      const path = join(folder.path, 'typed.txt');
      writeFileSync(path, 'A letter that was typed on a machine.\nIt has two lines and more words.\n');
      const [pdf = ''] = await office.convert([path], 'pdf');
      const { pages } = await readBytes('a.pdf', readFileSync(pdf));
      expect(pages[0]?.elements.map(({ category }) => category)).not.toContain('code');
    },
  );

  test('a title that a program filled in is replaced by the largest line, and the summary has the first words', async () => {
    const { document } = await readBytes(
      'scan-17.pdf',
      await draw(
        pdf => {
          pdf.fontSize(24).text('Lease of the harbour shop');
          pdf.fontSize(11).text('Between the city and the roaster. It begins in May. '.repeat(4));
        },
        { Title: 'Microsoft Word - lease final.doc' },
      ),
    );
    expect(document.title).toBe('Lease of the harbour shop');
    expect(document.summary).toMatch(/^1 page: Between the city and the roaster\./);
  });
});

/** A grey pixel. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////' +
    '////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
);

/** A black picture of one bit per pixel. */
function blackPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const parts = [Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)];
    parts[0]?.writeUInt32BE(data.length);
    parts[3]?.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
    return Buffer.concat(parts);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const parts = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

test('pictures of a PDF are handed over when they are asked for, a large scan too', async () => {
  using folder = temporaryFolder();
  // The scan has more pixels than are unpacked with a page.
  const bytes = await draw(pdf => {
    pdf.image(blackPng(2100, 2000), 0, 0, { width: 600 }).image(jpeg, 50, 50, { width: 100, height: 100 });
    pdf.image(blackPng(40, 30), 200, 50, { width: 80, height: 60 });
  });
  writeFileSync(join(folder.path, 'scan.pdf'), bytes);
  await using client = await DocumentsClient.open([folder.path]);
  const { elements } = await client.page('dpe://documents/scan.pdf/pages/0');
  expect(elements.map(({ summary }) => summary)).toEqual([
    'Page 1 as a picture, 612 by 792 points',
    'Picture 1, 100 by 100 points',
    'Picture 2, 80 by 60 points',
    'Picture 3, 2100 by 2000 pixels',
    expect.stringMatching(/^The page has no text: what it shows is drawn or scanned in parts/),
    expect.stringMatching(/text recognition is off/),
  ]);
  const read = async (index: number) => {
    const uri = `dpe://documents/scan.pdf/elements/${elements[index]?.element_id}`;
    const [, content] = (await client.mcp.readResource({ uri })).contents;
    const blob = content !== undefined && 'blob' in content ? Buffer.from(String(content.blob), 'base64') : undefined;
    return { mimeType: content?.mimeType, blob };
  };
  expect(await read(1)).toEqual({ mimeType: 'image/jpeg', blob: jpeg });
  for (const [index, width, height] of [
    [2, 40, 30],
    [3, 2100, 2000],
  ] as const) {
    const { mimeType, blob } = await read(index);
    expect([mimeType, blob?.readUInt32BE(16), blob?.readUInt32BE(20)]).toEqual(['image/png', width, height]);
  }
});
