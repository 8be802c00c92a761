import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { percent, shops } from './numbers.mjs';
import { picture } from './picture.mjs';

/** A report with chapters, lists, a table, a picture, a link, a footnote and a listing. */
export async function report() {
  const document = new Document({
    title: 'Annual report 2026',
    keywords: 'report, coffee, 2026',
    description: 'How the three shops did, what was learned, and what comes next.',
    creator: 'Lighthouse Coffee',
    numbering: {
      config: [
        {
          reference: 'steps',
          levels: [{ level: 0, format: LevelFormat.DECIMAL, text: '%1.', alignment: AlignmentType.START }],
        },
      ],
    },
    footnotes: { 1: { children: [new Paragraph('Counted by the tills, not by hand.')] } },
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph('Lighthouse Coffee')] }) },
        footers: { default: new Footer({ children: [new Paragraph('For the members of the cooperative')] }) },
        children: body(),
      },
    ],
  });
  return Packer.toBuffer(document);
}

function body() {
  const heading = (text, level = HeadingLevel.HEADING_1) => new Paragraph({ text, heading: level });
  const bullet = (text, level = 0) => new Paragraph({ text, bullet: { level } });
  const step = text => new Paragraph({ text, numbering: { reference: 'steps', level: 0 } });
  const listing = text => new Paragraph({ children: [new TextRun({ text, font: 'Courier New' })] });
  return [
    new Paragraph({ text: 'Annual report 2026', heading: HeadingLevel.TITLE }),
    new Paragraph('Lighthouse Coffee runs three shops in one town. This report says how they did.'),
    heading('Results'),
    new Paragraph({
      children: [
        new TextRun('The shops sold 119,300 cups'),
        new FootnoteReferenceRun(1),
        new TextRun(', more than ever before.'),
      ],
    }),
    heading('By shop', HeadingLevel.HEADING_2),
    resultTable(),
    new Paragraph({
      children: [
        new ImageRun({
          type: 'png',
          data: picture(),
          transformation: { width: 120, height: 80 },
          altText: { name: 'Beam', title: 'Beam', description: 'A lighthouse beam over dark water' },
        }),
      ],
    }),
    heading('What was learned'),
    bullet('Guests of the Station rarely come back.'),
    bullet('Queues are the reason.', 1),
    bullet('The festival filled the Harbour shop.'),
    new Paragraph({
      children: [
        new TextRun('The survey is described '),
        new ExternalHyperlink({ link: 'https://example.com/survey', children: [new TextRun('in full elsewhere')] }),
        new TextRun('.'),
      ],
    }),
    heading('What comes next'),
    step('Open a second counter at the Station.'),
    step('Roast on Mondays.'),
    step('Ask again in spring.'),
    heading('How cups are counted', HeadingLevel.HEADING_2),
    listing('SELECT shop, SUM(cups)'),
    listing('FROM sales GROUP BY shop;'),
  ];
}

function resultTable() {
  const row = cells =>
    new TableRow({ children: cells.map(text => new TableCell({ children: [new Paragraph(text)] })) });
  const total = cups => cups.reduce((a, b) => a + b, 0).toLocaleString('en');
  return new Table({
    columnWidths: [3000, 3000, 3000],
    width: { size: 9000, type: WidthType.DXA },
    rows: [
      row(['Shop', 'Cups', 'Returning guests']),
      ...shops.map(({ name, cups, returning }) => row([name, total(cups), percent(returning)])),
    ],
  });
}
