import { type Cell, Identifier } from '@a2c-smcp/publish/content';
import { read, type WorkBook } from '@e965/xlsx';
import { FileSource, UnreadableError } from '../../file.ts';
import type { OpenReader } from '../reader.ts';
import { BlockCollector, FormulaCollector } from '../xlsx/cells.ts';
import { NumberFormats } from '../xlsx/number-formats.ts';
import { textDecoder } from './code-page.ts';

/** The library holds all cells in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** xls and xlsb: a sheet is a page. SheetJS reads the whole file at once. */
export const openSpreadsheet: OpenReader = async file => {
  if (file.size > MAX_BYTES) throw new UnreadableError('The workbook is too large to be read; save it as xlsx');
  await using source = await FileSource.open(file);
  const bytes = await source.read(0, file.size);
  if (isGzip(bytes)) throw new UnreadableError('The file is compressed with gzip; unpack it first');
  const book = parse(bytes);
  if (book.SheetNames.length === 0) throw new UnreadableError('The workbook has no sheets');
  const decode = textDecoder(bytes);
  const names = book.SheetNames.map(decode).join(', ');
  const { Title: title, Subject: subject } = book.Props ?? {};
  const summary = `${book.SheetNames.length} ${book.SheetNames.length === 1 ? 'sheet' : 'sheets'}: ${names}`;
  return {
    facts: { summary: subject || summary, ...(title && { title }) },
    pageCount: book.SheetNames.length,
    page: async index => readSheet(book, index, decode),
    async close() {},
  };
};

/** SheetJS takes bytes of unknown formats for a text, and shows them. */
function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function parse(bytes: Buffer, cellFormula = true): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      // Excel's own, for workbooks that everybody may open.
      password: 'VelvetSweatshop',
      dense: true,
      cellFormula,
      cellNF: true,
      cellText: false,
      cellHTML: false,
    });
  } catch (cause) {
    // SheetJS gives the workbook up for a formula that it does not know.
    if (cellFormula) return parse(bytes, false);
    const isLocked = cause instanceof Error && /password|encrypt/i.test(cause.message);
    throw new UnreadableError(
      isLocked ? 'The file is protected by a password' : 'The file is damaged: it is not a complete workbook',
      { cause },
    );
  }
}

/** Errors by the numbers that SheetJS has for them, as other formats write them. */
const errors: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

/** SheetJS writes formats out that Excel has by number for the date as the machine is set up. */
const locales = new Map([
  ['m/d/yy', 14],
  ['m/d/yy h:mm', 22],
]);

/** A cell of SheetJS as far as it is used. */
interface SheetCell {
  /** Its kind: a number, string, boolean, date, error, or nothing. */
  t: string;
  v?: unknown;
  /** Its formula. */
  f?: string;
  /** Its number format. */
  z?: string | number;
}

function readSheet(book: WorkBook, index: number, decode: (text: string) => string) {
  const key = book.SheetNames[index];
  if (key === undefined) throw new TypeError(`No page ${index}`);
  const name = decode(key);
  const sheet = book.Sheets[key] as { '!data'?: (SheetCell | undefined)[][] } | undefined;
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const blocks = new BlockCollector(name);
  const formulas = new FormulaCollector();
  for (const [row, line] of (sheet?.['!data'] ?? []).entries()) {
    const cells = new Map<number, Cell>();
    for (const [column, cell] of (line ?? []).entries()) {
      if (cell === undefined || cell === null) continue;
      if (typeof cell.f === 'string' && cell.f !== '') formulas.add({ column, row }, decode(cell.f));
      const shown = cellOf(cell, date1904);
      const value = typeof shown === 'string' ? decode(shown) : shown;
      if (value !== null && value !== '') cells.set(column, value);
    }
    blocks.add({ row, cells });
  }
  const identifier = new Identifier();
  const elements = [...blocks.finish(), ...formulas.elements(name)];
  return { title: name, elements: elements.map(element => identifier.identify(element)) };
}

function cellOf({ t: type, v: value, z: format, f: formula }: SheetCell, date1904: boolean): Cell {
  if (typeof value === 'number' && type === 'n') {
    return NumberFormats.of(locales.get(String(format)) ?? format, date1904).apply(value, 0);
  }
  // A program that does not compute leaves the value out.
  if (value === undefined && formula) return `=${formula}`;
  if (typeof value === 'boolean') return { value, text: value ? 'TRUE' : 'FALSE' };
  if (type === 'e') return errors[Number(value)] ?? '#ERR!';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : null;
}
