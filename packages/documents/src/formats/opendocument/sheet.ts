import { annotation, type Cell, type Element, Identifier } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { Package } from '../ooxml/package.ts';
import { child, children, readXml, textOf, type XmlNode } from '../ooxml/xml.ts';
import type { OpenReader } from '../reader.ts';
import { BlockCollector, type CellPlace, cellName, FormulaCollector } from '../xlsx/cells.ts';
import { readFacts } from './facts.ts';
import { plainWords } from './white-space.ts';

/** Repetitions of a row or cell; programs fill a sheet to its end with empty ones. */
const MAX_REPEATED = 1000;
/** Cells of a sheet with their repetitions. */
const MAX_CELLS = 5_000_000;

const MAX_COMMENTS = 1000;

/** ods: a sheet is a page. */
export const openOds: OpenReader = async file => {
  await using zip = await Package.open(file);
  const sheets = children(child(await readXml(zip, 'content.xml'), 'body', 'spreadsheet'), 'table');
  if (sheets.length === 0) throw new UnreadableError('The workbook has no sheets');
  const names = sheets.map(nameOf);
  const summary = `${sheets.length} ${sheets.length === 1 ? 'sheet' : 'sheets'}: ${names.join(', ')}`;
  return {
    facts: { summary, ...(await readFacts(zip)) },
    pageCount: sheets.length,
    async page(index) {
      const sheet = sheets[index];
      if (sheet === undefined) throw new TypeError(`No page ${index}`);
      return readSheet(sheet);
    },
    async close() {},
  };
};

function nameOf({ attributes }: XmlNode): string {
  return attributes['table:name'] ?? '';
}

function readSheet(sheet: XmlNode) {
  const name = nameOf(sheet);
  const blocks = new BlockCollector(name);
  const formulas = new FormulaCollector();
  const comments: Element[] = [];
  let [row, total] = [0, 0];
  for (const node of rowsOf(sheet)) {
    const repeated = repetitions(node.attributes['table:number-rows-repeated']);
    const cells = new Map<number, Cell>();
    let column = 0;
    for (const cell of children(node)) {
      if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue;
      const times = repetitions(cell.attributes['table:number-columns-repeated']);
      const formula = cell.attributes['table:formula'];
      const expression = formula === undefined ? undefined : plainFormula(formula);
      if (expression !== undefined) formulas.add({ column, row }, expression);
      // A program that does not compute leaves the value out.
      const isUnknown = expression !== undefined && cell.attributes['office:value-type'] === undefined;
      const value = valueIn(cell) ?? (isUnknown ? `=${expression}` : null);
      if (comments.length < MAX_COMMENTS) comments.push(...commentsIn(cell, { column, row }));
      if (value !== null && value !== '') {
        for (let count = 0; count < Math.min(times, MAX_REPEATED); count += 1) cells.set(column + count, value);
      }
      column += times;
    }
    total += cells.size * Math.min(repeated, MAX_REPEATED);
    if (total > MAX_CELLS) throw new UnreadableError('The sheet repeats more cells than is safe to read');
    if (cells.size > 0) {
      for (let count = 0; count < Math.min(repeated, MAX_REPEATED); count += 1) blocks.add({ row: row + count, cells });
    }
    row += repeated;
  }
  const identifier = new Identifier();
  const elements = [...blocks.finish(), ...formulas.elements(name), ...comments];
  return { title: name, elements: elements.map(element => identifier.identify(element)) };
}

function commentsIn(cell: XmlNode, place: CellPlace): Element[] {
  return children(cell, 'annotation').flatMap(comment => {
    const text = children(comment, 'p').map(plainWords).join('\n').trim();
    const author = textOf(child(comment, 'creator')) || undefined;
    return text === '' ? [] : [{ ...annotation(text, author), metadata: { cell: cellName(place) } }];
  });
}

function rowsOf(node: XmlNode): XmlNode[] {
  return children(node).flatMap(part => {
    if (part.name === 'table-row') return [part];
    return ['table-header-rows', 'table-rows', 'table-row-group'].includes(part.name) ? rowsOf(part) : [];
  });
}

function repetitions(text: string | undefined): number {
  return Math.max(1, Number.parseInt(text ?? '1', 10) || 1);
}

/** A date that says which of its numbers is which: it has a name, as of a month, or begins with the year. */
const clearDate = /\p{L}{3}|^\d{4}\D/u;

/** A number without a format, of which LibreOffice writes no more than ten decimals. */
const cutNumber = /^-?\d+[.,]\d{10}$/;

/**
 * The value of a cell, and what it shows. A date whose parts may stand in any order stands behind the same in ISO 8601, and
 * a truth value is shown as in other formats: the file has it in the language of its author.
 */
function valueIn(cell: XmlNode): Cell {
  const { attributes } = cell;
  const shown = children(cell, 'p').map(plainWords).join('\n').trim();
  const type = attributes['office:value-type'];
  const date = attributes['office:date-value'];
  if (type === 'date' && date !== undefined) {
    return { value: date, text: clearDate.test(shown) ? shown : clarified(date, shown) };
  }
  if (type === 'boolean') {
    // Some programs write what Excel has for it.
    const value = ['true', '1'].includes((attributes['office:boolean-value'] ?? '').toLowerCase());
    return { value, text: String(value).toUpperCase() };
  }
  const number = Number(attributes['office:value']);
  const isNumber = (type === 'float' || type === 'percentage' || type === 'currency') && Number.isFinite(number);
  if (!isNumber) return shown === '' ? null : shown;
  return shown === '' || shown === String(number) || cutNumber.test(shown) ? number : { value: number, text: shown };
}

function clarified(date: string, shown: string): string {
  const iso = date.replace(/T(?:00:00:00$)?/, ' ').trim();
  return shown === '' ? iso : `${iso} (${shown})`;
}

/** A formula in the notation of Excel: `of:=SUM([.B2:.B6])` is `SUM(B2:B6)`. */
function plainFormula(formula: string): string {
  return formula
    .replace(/^\w*:?=/, '')
    .replace(/\[([^\]]*)\]/g, (_, range: string) =>
      range.replace(/\$?([^.:]*)\./g, (_name, sheet: string) => (sheet === '' ? '' : `${sheet}!`)),
    );
}
