import { isObject } from '@a2c-smcp/core';
import { code, type Element, heading, paragraph } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { flowDocument } from '../flow.ts';
import { excessOf } from '../markdown/limits.ts';
import { parseMarkdown } from '../markdown/parse.ts';
import type { OpenReader } from '../reader.ts';
import { readText } from '../text/encoding.ts';

/** Characters of the output of one cell that are shown. */
const MAX_OUTPUT_CHARACTERS = 50_000;

/** ipynb: the cells of a notebook in their order, with their printed output. */
export const openNotebook: OpenReader = async file => {
  const notebook = parse(await readText(file));
  const language = languageOf(notebook.metadata);
  // The first two formats end no line of a list with a line break.
  const lineEnd = Number(notebook.nbformat ?? 4) < 3 ? '\n' : '';
  const elements = cellsOf(notebook).flatMap(cell => cellElements(cell, { language, lineEnd }));
  return flowDocument(elements, {}, file.name);
};

function parse(text: string): Record<string, unknown> {
  try {
    const notebook: unknown = JSON.parse(text);
    if (isObject(notebook)) return notebook;
  } catch {
    // Told below.
  }
  throw new UnreadableError('The file is damaged: it is not a notebook');
}

function languageOf(metadata: unknown): string | undefined {
  const info = isObject(metadata) ? metadata.language_info : undefined;
  return isObject(info) && typeof info.name === 'string' ? info.name : undefined;
}

/** Formats before the fourth have their cells in worksheets, of which programs wrote one. */
function cellsOf({ cells, worksheets }: Record<string, unknown>): Record<string, unknown>[] {
  const lists = Array.isArray(cells) ? [cells] : objectsIn(worksheets).map(sheet => sheet.cells);
  return lists.flatMap(objectsIn);
}

interface CellContext {
  language: string | undefined;
  lineEnd: string;
}

function cellElements(cell: Record<string, unknown>, context: CellContext): Element[] {
  const { cell_type: type, level } = cell;
  const source = joined(cell.source ?? cell.input, context);
  if (source.trim() === '') return outputs(cell, context);
  if (type === 'heading') return [heading(Math.min(Math.max(Number(level) || 1, 1), 6), source.trim())];
  if (type === 'markdown') {
    return excessOf(source) === undefined ? parseMarkdown(source).map(({ element }) => element) : [paragraph(source)];
  }
  if (type !== 'code') return [paragraph(source)];
  const language = typeof cell.language === 'string' ? cell.language : context.language;
  return [code(source, language), ...outputs(cell, context)];
}

/** Text that a cell printed or returned; pictures and pages are left out. */
function outputs({ outputs: list }: Record<string, unknown>, context: CellContext): Element[] {
  const texts = objectsIn(list).map(output => {
    const data = isObject(output.data) ? output.data['text/plain'] : undefined;
    const error = typeof output.ename === 'string' ? `${output.ename}: ${output.evalue}` : '';
    return joined(output.text ?? data, context) || error;
  });
  const text = texts
    .filter(part => part.trim() !== '')
    .join('\n')
    .trimEnd();
  return text === '' ? [] : [code(text.slice(0, MAX_OUTPUT_CHARACTERS))];
}

function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function joined(lines: unknown, { lineEnd }: CellContext): string {
  return Array.isArray(lines) ? lines.map(String).join(lineEnd) : typeof lines === 'string' ? lines : '';
}
