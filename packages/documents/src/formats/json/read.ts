import { isObject } from '@a2c-smcp/core';
import { type Cell, code, type Element, heading, Identifier, MAX_COLUMNS, table } from '@a2c-smcp/publish/content';
import { paginate } from '../../content/paginate.ts';
import { FileSource, type FileVersion } from '../../file.ts';
import { wholeDocument } from '../flow.ts';
import type { OpenDocument, OpenReader } from '../reader.ts';
import { decodeText, MAX_TEXT_BYTES, readText } from '../text/encoding.ts';
import { firstLine, openPlainText, type PlainTextOptions } from '../text/read.ts';

/** Longer files are a single table, or pages of their text. */
const MAX_CHAPTERS_BYTES = 64 * 1024;
const HEAD_BYTES = 4 * 1024;
/** Longer values are cut into a chapter for each key. */
const MAX_BLOCK_CHARACTERS = 8000;
/** A table with more cells must be filled to a quarter. */
const MAX_SPARSE_CELLS = 1_000_000;
const SPARSE_FACTOR = 4;
/** Records are often longer than lines of text. */
const LINES_PAGE_BYTES = 16 * 1024;

/**
 * JSON: records become a table, a short file one block of code, one of middling length a chapter for each of its keys,
 * a long one pages of its text.
 */
export const openJson: OpenReader = async file => {
  const kind = await kindOf(file);
  if (kind === 'text') return openPlainText(file, codeOptions);
  const value = tryParse(await readText(file));
  // Settings with comments, and damaged files, are still text.
  if (value === undefined) return openPlainText(file, codeOptions);
  return kind === 'short' ? shortDocument(value, file.name) : recordsDocument(value, file.name);
};

const codeOptions: PlainTextOptions = { summarize: firstLine, toElements: text => [code(text, 'json')] };

/** JSON Lines: each page is a table of its records, or code where some are none. */
export const openJsonLines: OpenReader = file => openPlainText(file, lineOptions);

const lineOptions: PlainTextOptions = {
  pageBytes: LINES_PAGE_BYTES,
  summarize: firstLine,
  toElements: text => {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    if (lines.length === 0) return [];
    const records = lines.map(tryParse);
    if (records.every(isObject)) return [recordTable(records.map(flatten))];
    // A table goes on where a page ends, which code does not.
    return text.length <= MAX_BLOCK_CHARACTERS
      ? [code(lines.join('\n'), 'json')]
      : [
          table(
            ['record'],
            lines.map(line => [line]),
          ),
        ];
  },
};

/** Decides by the size and the first characters how a file is paged. */
async function kindOf(file: FileVersion): Promise<'short' | 'records' | 'text'> {
  if (file.size <= MAX_CHAPTERS_BYTES) return 'short';
  if (file.size > MAX_TEXT_BYTES) return 'text';
  await using source = await FileSource.open(file);
  const head = decodeText(await source.read(0, HEAD_BYTES));
  return /^\s*\[\s*\{/.test(head) ? 'records' : 'text';
}

function shortDocument(value: unknown, name: string): OpenDocument {
  return wholeDocument({ title: name, summary: describe(value) }, paginate(jsonElements(value), name));
}

/** A long list that begins with an object is one table, whatever follows. */
function recordsDocument(value: unknown, name: string): OpenDocument {
  const records = (Array.isArray(value) ? value : [value]).map(flatten);
  const elements = [new Identifier().identify(recordTable(records))];
  return wholeDocument({ title: name, summary: describe(value) }, [{ title: name, elements }]);
}

/** Undefined if the text is not JSON. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonElements(value: unknown): Element[] {
  if (isRecords(value)) return [recordTable(value)];
  const text = JSON.stringify(value, null, 2);
  if (text.length <= MAX_BLOCK_CHARACTERS || typeof value !== 'object' || value === null) return [code(text, 'json')];
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
  if (headers.size > MAX_COLUMNS || (cells > MAX_SPARSE_CELLS && cells > SPARSE_FACTOR * values)) {
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
