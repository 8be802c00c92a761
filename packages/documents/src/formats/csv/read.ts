import {
  type Cell,
  type Element,
  Identifier,
  MAX_COLUMNS,
  RowCollector,
  tableSummary,
} from '@a2c-smcp/publish/content';
import { FileSource, type FileVersion } from '../../file.ts';
import { type DocumentFacts, type OpenReader, type PageOptions, SMALL_TEXT_BYTES } from '../reader.ts';
import { createDecoder, type Encoding, sampleEncoding } from '../text/encoding.ts';
import { RecordReader } from './record-reader.ts';

/** Bytes from which separator and summary are found. */
const HEAD_BYTES = 16 * 1024;
/** Bytes that are read at a time. */
const PART_BYTES = 1024 * 1024;

/** csv and tsv: one page with one table. The first lines decide on the separator. */
export const openCsv: OpenReader = async file => {
  const { facts, encoding, delimiter } = await readHead(file);
  return {
    facts,
    pageCount: 1,
    isWhole: file.size <= SMALL_TEXT_BYTES,
    async page(_, { onProgress } = {}) {
      const table = new CsvTable();
      await using source = await FileSource.open(file);
      const records = new RecordReader(delimiter, row => table.add(row));
      for await (const part of partsOf(source, file, encoding, onProgress)) records.add(part, false);
      records.add('', true);
      const element = table.finish();
      return { title: file.name, elements: element === undefined ? [] : [new Identifier().identify(element)] };
    },
    async close() {},
  };
};

/** A file as text, part by part. */
async function* partsOf(
  source: FileSource,
  { size }: FileVersion,
  encoding: Encoding,
  onProgress: PageOptions['onProgress'],
): AsyncGenerator<string, void> {
  const decode = createDecoder(encoding);
  for (let at = 0; ; ) {
    // One byte more than a small file has shows its end.
    const length = at < size ? Math.min(size - at + 1, PART_BYTES) : PART_BYTES;
    const bytes = await source.read(at, length);
    at += bytes.length;
    onProgress?.(Math.min(at / Math.max(size, 1), 1));
    yield decode(bytes, { stream: true });
    if (bytes.length < length) break;
  }
  yield decode(Buffer.alloc(0));
}

class CsvTable {
  #headers: string[] | undefined;
  #rows: RowCollector | undefined;

  add(row: string[]): void {
    if (this.#rows === undefined) {
      this.#rows = new RowCollector(row);
      if (!row.some(isNumeric)) {
        this.#headers = row;
        return;
      }
    }
    this.#rows.add(row.map(typed));
  }

  finish(): Element | undefined {
    if (this.#rows === undefined) return undefined;
    const columns = this.#headers ?? [];
    const width = Math.max(columns.length, this.#rows.width);
    const shown = Math.min(width, MAX_COLUMNS);
    const headers = Array.from({ length: shown }, (_, column) => columns[column] ?? `Column ${column + 1}`);
    const { content, overflow } = this.#rows.finish(headers, width);
    return {
      category: 'table',
      summary: tableSummary(content.headers, content),
      content: { ...content },
      identity: headers.join('\u001f'),
      ...(overflow && { overflow }),
    };
  }
}

/** A number that can be written back the same way; identifiers with leading zeros stay text. */
function typed(text: string): Cell {
  if (text === '') return null;
  return isNumeric(text) && String(Number(text)) === text ? Number(text) : text;
}

function isNumeric(text: string): boolean {
  return /^-?\d+(?:[.,]\d+)?%?$/.test(text.trim());
}

async function readHead(file: FileVersion): Promise<{ facts: DocumentFacts; encoding: Encoding; delimiter: string }> {
  await using source = await FileSource.open(file);
  const head = await source.read(0, Math.min(file.size, HEAD_BYTES));
  const encoding = await sampleEncoding(source, file.size);
  const lines = createDecoder(encoding)(head);
  const delimiter = file.type === 'tsv' ? '\t' : guessDelimiter(lines);
  const [headerLine = ''] = lines.split('\n', 1);
  const names = headerLine.split(delimiter).join(', ').slice(0, 200).trim();
  return { facts: { summary: `A table: ${names}` }, encoding, delimiter };
}

/** The separator that splits the first lines most evenly. */
function guessDelimiter(head: string): string {
  const lines = head
    .replace(/"[^"]*"/g, '')
    .split('\n')
    .slice(0, 20)
    .filter(line => line.trim() !== '');
  const fewest = (delimiter: string) => Math.min(...lines.map(line => line.split(delimiter).length));
  const scores = [',', ';', '\t', '|'].map(delimiter => ({ delimiter, score: fewest(delimiter) }));
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}
