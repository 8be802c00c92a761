import type { Cell, Element } from '../content/element.ts';
import { code, heading, table } from '../content/make.ts';
import { flowDocument } from './flow.ts';
import { firstLine, openPlainText } from './plain-text.ts';
import { type OpenReader, UnreadableError } from './reader.ts';
import { MAX_TEXT_BYTES, readText } from './text-encoding.ts';

const SHORT = 8000;

/** JSON: records become a table, a short file one block of code, a long one a chapter for each of its keys. */
export const openJson: OpenReader = async (path, file) => {
  if (file.size > MAX_TEXT_BYTES)
    return openPlainText(path, file, { summarize: firstLine, toElements: text => [code(text, 'json')] });
  const value = parse(await readText(path));
  return flowDocument(jsonElements(value), { title: file.name, summary: describe(value) }, file.name);
};

/** JSON Lines: each page is a table of its records, or code where they are not alike. */
export const openJsonLines: OpenReader = (path, file) =>
  openPlainText(path, file, {
    summarize: firstLine,
    toElements: text => {
      const lines = text.split('\n').filter(line => line.trim() !== '');
      const records = lines.map(tryParse);
      return isRecords(records) ? [recordTable(records)] : lines.length === 0 ? [] : [code(lines.join('\n'), 'json')];
    },
  });

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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(part => part === null || typeof part !== 'object');
}

function recordTable(records: readonly Record<string, Scalar>[]): Element {
  const headers = [...new Set(records.flatMap(record => Object.keys(record)))];
  const rows = records.map(record => headers.map((header): Cell => record[header] ?? null));
  return table(headers, rows);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `A list of ${value.length} items`;
  if (typeof value !== 'object' || value === null) return `A single ${typeof value}`;
  return `An object with ${Object.keys(value).slice(0, 12).join(', ')}`;
}
