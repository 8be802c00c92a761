import type { Cell, Element } from '../content/element.ts';
import { Identifier } from '../content/identify.ts';
import { code, heading, table } from '../content/make.ts';
import { countPages, paginate } from '../content/paginate.ts';
import { MAX_COLUMNS } from '../content/table.ts';
import { FileSource } from '../file/file-source.ts';
import { wholeDocument } from './flow.ts';
import { firstLine, openPlainText, type PlainTextOptions, readTextHeader } from './plain-text.ts';
import { type FileFacts, type HeaderReader, type OpenDocument, type OpenReader, UnreadableError } from './reader.ts';
import { decodeText, MAX_TEXT_BYTES, readText } from './text-encoding.ts';

/** Files up to this size are parsed for the catalogue. */
const WHOLE_BYTES = 64 * 1024;
const HEAD_BYTES = 4 * 1024;
const SHORT = 8000;
/** A table with more cells than this must be filled to a part of it. */
const MAX_SPARSE_CELLS = 1_000_000;
const SPARSE = 4;
/** Records are often longer than lines of text. */
const LINES_PAGE_BYTES = 64 * 1024;

/** What the catalogue says of a JSON file. */
export const readJsonHeader: HeaderReader = async (source, file) => {
  const kind = await kindOf(source, file);
  if (kind === 'text') return readTextHeader(source, file, codeOptions);
  if (kind === 'records') return { title: file.name, summary: 'A list of records', pageCount: 1 };
  const value = parse(decodeText(await source.read(0, file.size)));
  return { title: file.name, summary: describe(value), pageCount: countPages(jsonElements(value)) };
};

/**
 * JSON: records become a table, a short file one block of code, one of middling length a chapter for each of its keys,
 * a long one pages of its text.
 */
export const openJson: OpenReader = async file => {
  await using source = await FileSource.open(file);
  const kind = await kindOf(source, file);
  if (kind === 'text') return openPlainText(file, codeOptions);
  const text = await readText(file);
  return kind === 'short' ? shortDocument(text, file.name) : recordsDocument(text, file.name);
};

const codeOptions: PlainTextOptions = { summarize: firstLine, toElements: text => [code(text, 'json')] };

/** What the catalogue says of a file of JSON Lines. */
export const readJsonLinesHeader: HeaderReader = (source, file) => readTextHeader(source, file, lineOptions);

/** JSON Lines: each page is a table of its records, or code where they are not alike. */
export const openJsonLines: OpenReader = file => openPlainText(file, lineOptions);

const lineOptions: PlainTextOptions = {
  pageBytes: LINES_PAGE_BYTES,
  summarize: firstLine,
  toElements: text => {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    const records = lines.map(tryParse);
    return isRecords(records) ? [recordTable(records)] : lines.length === 0 ? [] : [code(lines.join('\n'), 'json')];
  },
};

/** How a file is paged, as its size and its first characters decide. */
async function kindOf(source: FileSource, { size }: FileFacts): Promise<'short' | 'records' | 'text'> {
  if (size <= WHOLE_BYTES) return 'short';
  if (size > MAX_TEXT_BYTES) return 'text';
  const head = decodeText(await source.read(0, HEAD_BYTES));
  return /^\s*\[\s*\{/.test(head) ? 'records' : 'text';
}

function shortDocument(text: string, name: string): OpenDocument {
  const value = parse(text);
  return wholeDocument({ title: name, summary: describe(value) }, paginate(jsonElements(value), name));
}

/** A long list that begins with an object: one table, whatever follows. */
function recordsDocument(text: string, name: string): OpenDocument {
  const value = parse(text);
  const records = (Array.isArray(value) ? value : [value]).map(flatten);
  const elements = [new Identifier().identify(recordTable(records))];
  return {
    facts: { title: name, summary: describe(value) },
    pageCount: 1,
    page: async () => ({ title: name, elements }),
    async close() {},
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableError('The file is not valid JSON', { cause });
  }
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function jsonElements(value: unknown): Element[] {
  if (isRecords(value)) return [recordTable(value)];
  const text = JSON.stringify(value, null, 2);
  if (text.length <= SHORT || typeof value !== 'object' || value === null) return [code(text, 'json')];
  return Object.entries(value).flatMap(([key, part]) => [
    heading(2, Array.isArray(value) ? `Item ${key}` : key),
    isRecords(part) ? recordTable(part) : code(JSON.stringify(part, null, 2), 'json'),
  ]);
}

type Scalar = string | number | boolean | null;

function isRecords(value: unknown): value is Record<string, Scalar>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFlatObject);
}

function isFlatObject(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isScalar);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value !== 'object';
}

/** A record whose fields are not plain values shows them as JSON. */
function flatten(value: unknown): Record<string, Scalar> {
  const fields = isObject(value) ? Object.entries(value) : [['value', value] as const];
  return Object.fromEntries(fields.map(([key, part]) => [key, isScalar(part) ? part : JSON.stringify(part)]));
}

/** A column for each field; where that is mostly empty cells, each record is shown as JSON instead. */
function recordTable(records: readonly Record<string, Scalar>[]): Element {
  const headers = new Set<string>();
  let values = 0;
  for (const record of records) {
    for (const field of Object.keys(record)) {
      headers.add(field);
      values += 1;
    }
  }
  const cells = headers.size * records.length;
  if (headers.size > MAX_COLUMNS || (cells > MAX_SPARSE_CELLS && cells > SPARSE * values)) {
    return table(['record'], lines(records), `Records with ${headers.size} different fields, each as JSON`);
  }
  return table([...headers], rowsOf(records, [...headers]));
}

function* rowsOf(records: readonly Record<string, Scalar>[], headers: readonly string[]): Generator<Cell[]> {
  for (const record of records) yield headers.map(header => record[header] ?? null);
}

function* lines(records: readonly Record<string, Scalar>[]): Generator<Cell[]> {
  for (const record of records) yield [JSON.stringify(record)];
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `A list of ${value.length} items`;
  if (typeof value !== 'object' || value === null) return `A single ${typeof value}`;
  return `An object with ${Object.keys(value).slice(0, 12).join(', ')}`;
}
