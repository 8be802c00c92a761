import PDFDocument from 'pdfkit';
import { date, shops } from './numbers.mjs';
import { picture } from './picture.mjs';

/** Two pages: an invoice with a table, and its terms with a list, a link and a picture. */
export function pdf() {
  const document = new PDFDocument({
    size: 'A4',
    margin: 72,
    info: {
      Title: 'Invoice 2026-041',
      Author: 'Lighthouse Coffee',
      Keywords: 'invoice, beans',
      CreationDate: date,
      ModDate: date,
    },
  });
  const parts = [];
  document.on('data', part => parts.push(part));
  const finished = new Promise(resolve => document.on('end', () => resolve(Buffer.concat(parts))));
  document.fontSize(22).text('Invoice 2026-041').moveDown(0.5);
  document
    .fontSize(11)
    .text(
      'To the Harbour Hotel for beans delivered in September. Please pay within thirty days; the terms are on the second page.',
    )
    .moveDown();
  drawTable(document, [['Item', 'Bags', 'Price', 'Amount'], ...items(), ['Total', '', '', '€414.00']]);
  document.addPage();
  document.fontSize(16).text('Terms').moveDown(0.5).fontSize(11);
  document.text('Beans stay ours until they are paid for.').moveDown();
  document
    .list(['Pay by transfer.', 'Name the number of the invoice.', 'Ask when something is missing.'], {
      bulletRadius: 2,
    })
    .moveDown();
  document
    .fillColor('blue')
    .text('Terms in full', { link: 'https://example.com/terms', underline: true })
    .fillColor('black')
    .moveDown();
  document.image(picture(), { width: 120 });
  document.end();
  return finished;
}

function items() {
  return shops.map(({ name }, index) => {
    const [bags, price] = [
      [6, 24],
      [4, 27.5],
      [8, 20],
    ][index];
    return [`Blend '${name}'`, String(bags), `€${price.toFixed(2)}`, `€${(bags * price).toFixed(2)}`];
  });
}

function drawTable(document, rows) {
  const columns = [72, 230, 300, 390];
  for (const row of rows) {
    const { y } = document;
    for (const [column, text] of row.entries()) document.text(text, columns[column], y, { lineBreak: false });
    document.x = 72;
    document.y = y + 20;
  }
}
