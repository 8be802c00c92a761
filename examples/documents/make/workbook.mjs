import { utils, write } from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { date, quarters, shops } from './numbers.mjs';

/** A workbook with formulas, dates, percentages, a comment, a link and a chart. */
export function workbook() {
  const book = utils.book_new();
  book.Props = {
    Title: 'Coffee sales 2026',
    Keywords: 'sales, coffee, 2026',
    Author: 'Lighthouse Coffee',
    CreatedDate: date,
  };
  utils.book_append_sheet(book, salesSheet(), 'Sales');
  utils.book_append_sheet(book, shopsSheet(), 'Shops');
  const notes = utils.aoa_to_sheet([
    ['Figures are cups sold at the counter.'],
    ['Beans sold by the bag are not included.'],
  ]);
  utils.book_append_sheet(book, notes, 'Notes');
  return addChart(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }));
}

function salesSheet() {
  const last = shops.length + 3;
  const rows = shops.map(({ name, cups }) => [name, ...cups]);
  const sheet = utils.aoa_to_sheet([['Cups sold by shop'], [], ['Shop', ...quarters, 'Total'], ...rows, ['All shops']]);
  const sum = numbers => numbers.reduce((a, b) => a + b, 0);
  shops.forEach(({ cups }, index) => {
    sheet[`F${index + 4}`] = { t: 'n', f: `SUM(B${index + 4}:E${index + 4})`, v: sum(cups), z: '#,##0' };
  });
  ['B', 'C', 'D', 'E'].forEach((column, quarter) => {
    const total = sum(shops.map(({ cups }) => cups[quarter]));
    sheet[`${column}${last + 1}`] = { t: 'n', f: `SUM(${column}4:${column}${last})`, v: total, z: '#,##0' };
  });
  const everything = sum(shops.flatMap(({ cups }) => cups));
  sheet[`F${last + 1}`] = { t: 'n', f: `SUM(F4:F${last})`, v: everything, z: '#,##0' };
  sheet.D4.c = [{ a: 'Ada', t: 'The festival was in the third quarter.' }];
  sheet['!cols'] = [{ wch: 14 }, ...quarters.map(() => ({ wch: 10 })), { wch: 10 }];
  sheet['!ref'] = `A1:F${last + 1}`;
  return sheet;
}

function shopsSheet() {
  const rows = shops.map(({ name, opened, price, returning }) => [name, opened, price, returning]);
  const sheet = utils.aoa_to_sheet([['Shop', 'Opened', 'Price', 'Returning guests'], ...rows], { UTC: true });
  shops.forEach((_, index) => {
    const row = index + 2;
    sheet[`B${row}`].z = 'yyyy-mm-dd';
    sheet[`C${row}`].z = '€0.00';
    sheet[`D${row}`].z = '0%';
  });
  sheet['!cols'] = [{ wch: 14 }, { wch: 14 }, { wch: 10 }, { wch: 18 }];
  sheet.A2.l = { Target: 'https://example.com/shops/harbour', Tooltip: 'Harbour' };
  return sheet;
}

/** The library writes no charts, so the parts of one are added by hand. */
function addChart(bytes) {
  const parts = unzipSync(bytes);
  const sheet = 'xl/worksheets/sheet1.xml';
  const relations = 'xl/worksheets/_rels/sheet1.xml.rels';
  const relation = (id, type, target) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  parts[sheet] = strToU8(
    strFromU8(parts[sheet])
      .replace(/(<legacyDrawing|<\/worksheet>)/, '<drawing r:id="rIdDrawing"/>$1')
      .replace(/<worksheet /, `<worksheet xmlns:r="${office}" `)
      .replace(/( xmlns:r="[^"]*")(.*?) xmlns:r="[^"]*"/, '$1$2'),
  );
  parts[relations] = strToU8(
    strFromU8(parts[relations]).replace(
      '</Relationships>',
      `${relation('rIdDrawing', 'drawing', '../drawings/drawing9.xml')}</Relationships>`,
    ),
  );
  parts['xl/drawings/drawing9.xml'] = strToU8(drawing);
  parts['xl/drawings/_rels/drawing9.xml.rels'] = strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId1', 'chart', '../charts/chart1.xml')}</Relationships>`,
  );
  parts['xl/charts/chart1.xml'] = strToU8(chart());
  const types = '[Content_Types].xml';
  const override = (part, type) =>
    `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;
  parts[types] = strToU8(
    strFromU8(parts[types]).replace(
      '</Types>',
      `${override('xl/drawings/drawing9.xml', 'drawing')}${override('xl/charts/chart1.xml', 'drawingml.chart')}</Types>`,
    ),
  );
  return Buffer.from(zipSync(parts, { mtime: date }));
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawingNamespace = 'http://schemas.openxmlformats.org/drawingml/2006';
const drawing = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<xdr:wsDr xmlns:xdr="${drawingNamespace}/spreadsheetDrawing" xmlns:a="${drawingNamespace}/main"><xdr:twoCellAnchor><xdr:from><xdr:col>7</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>14</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>18</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${drawingNamespace}/chart"><c:chart xmlns:c="${drawingNamespace}/chart" xmlns:r="${office}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;

function chart() {
  const points = (values, kind) =>
    `<c:${kind}Cache><c:ptCount val="${values.length}"/>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache>`;
  const series = shops.map(
    ({ name, cups }, index) =>
      `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>Sales!$A$${index + 4}</c:f>${points([name], 'str')}</c:strRef></c:tx><c:cat><c:strRef><c:f>Sales!$B$3:$E$3</c:f>${points(quarters, 'str')}</c:strRef></c:cat><c:val><c:numRef><c:f>Sales!$B$${index + 4}:$E$${index + 4}</c:f>${points(cups, 'num')}</c:numRef></c:val></c:ser>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="${drawingNamespace}/chart" xmlns:a="${drawingNamespace}/main" xmlns:r="${office}"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Cups by quarter</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>${series.join('')}<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea><c:plotVisOnly val="1"/></c:chart></c:chartSpace>`;
}
