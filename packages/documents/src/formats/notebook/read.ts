import { isObject } from '@a2c-smcp/core';
import { code, type Element, paragraph } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { flowDocument } from '../flow.ts';
import { excessOf } from '../markdown/limits.ts';
import { parseMarkdown } from '../markdown/parse.ts';
import type { OpenReader } from '../reader.ts';
import { readText } from '../text/encoding.ts';

/** Characters of the output of one cell that are shown. */
const MAX_OUTPUT_CHARACTERS = 5000;

/** ipynb: the cells of a notebook in their order, with their printed output. */
export const openNotebook: OpenReader = async file => {
  const notebook = parse(await readText(file));
  const cells = Array.isArray(notebook.cells) ? notebook.cells : [];
  const language = languageOf(notebook.metadata);
  const elements = cells.filter(isObject).flatMap(cell => cellElements(cell, language));
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

function cellElements(cell: Record<string, unknown>, language: string | undefined): Element[] {
  const source = joined(cell.source);
  if (source.trim() === '') return outputs(cell);
  if (cell.cell_type === 'markdown') {
    return excessOf(source) === undefined ? parseMarkdown(source).map(({ element }) => element) : [paragraph(source)];
  }
  if (cell.cell_type !== 'code') return [paragraph(source)];
  return [code(source, language), ...outputs(cell)];
}

/** Text that a cell printed or returned; pictures and pages are left out. */
function outputs({ outputs: list }: Record<string, unknown>): Element[] {
  const texts = (Array.isArray(list) ? list : []).filter(isObject).map(output => {
    const data = isObject(output.data) ? output.data['text/plain'] : undefined;
    const error = typeof output.ename === 'string' ? `${output.ename}: ${output.evalue}` : '';
    return joined(output.text ?? data) || error;
  });
  const text = texts
    .filter(part => part.trim() !== '')
    .join('\n')
    .trimEnd();
  return text === '' ? [] : [code(text.slice(0, MAX_OUTPUT_CHARACTERS))];
}

function joined(lines: unknown): string {
  return Array.isArray(lines) ? lines.map(String).join('') : typeof lines === 'string' ? lines : '';
}
