import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './client.ts';

const run = promisify(execFile);

/** True if documents by LibreOffice can be made here. */
export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

/** LibreOffice with a profile of its own, so that several can run at once. */
export class LibreOffice implements Disposable {
  readonly #folder = temporaryFolder();

  /** Converts files by a filter, as in `ods` or `txt:Text`, and returns the paths of the results. */
  async convert(files: readonly string[], filter: string): Promise<string[]> {
    const profile = pathToFileURL(join(this.#folder.path, 'profile')).href;
    const outdir = join(this.#folder.path, String(Math.random()).slice(2));
    await run('soffice', [
      `-env:UserInstallation=${profile}`,
      '--headless',
      '--convert-to',
      filter,
      '--outdir',
      outdir,
      ...files,
    ]);
    const extension = filter.split(':', 1)[0];
    return files.map(file => join(outdir, `${basename(file, extname(file))}.${extension}`));
  }

  /** Its own text export of a text document, without the numbers of footnotes, which it glues to the words before them. */
  async textOf(document: string): Promise<string> {
    const [path = ''] = await this.convert([document], 'txt:Text (encoded):UTF8');
    return readFileSync(path, 'utf8').replace(/(?<=\p{L})\d+\b/gu, '');
  }

  /** Its own text export of a sheet of a workbook, by name, as the cells show it. */
  async sheetsOf(workbook: string, sheets: readonly string[]): Promise<string> {
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';
    const [path = ''] = await this.convert([workbook], filter);
    return sheets.map(sheet => readFileSync(path.replace(/\.csv$/, `-${sheet}.csv`), 'utf8')).join('\n');
  }

  /** The words on slides from its own flat XML, since it exports no text of them: no notes, charts or page numbers. */
  async slidesOf(presentation: string): Promise<string> {
    const [path = ''] = await this.convert([presentation], 'fodp');
    const [, body = ''] = readFileSync(path, 'utf8').split('<office:presentation', 2);
    const slides = body.replace(/<(presentation:notes|draw:object|text:page-number)\b.*?<\/\1>/gs, '');
    const paragraphs = [...slides.matchAll(/<text:p\b[^>]*(?<!\/)>(.*?)<\/text:p>/gs)].map(([, inner = '']) => inner);
    return paragraphs.map(inner => inner.replace(/<[^>]*>/g, '').replace(/&\w+;/g, ' ')).join('\n');
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The share of the words of `source`, counted as often as they occur, that are in `text`, and those that are not. */
export function compareWords(source: string, text: string): { share: number; missing: string[] } {
  const available = new Map<string, number>();
  for (const word of words(text)) available.set(word, (available.get(word) ?? 0) + 1);
  const wanted = words(source);
  const missing = wanted.filter(word => {
    const left = available.get(word) ?? 0;
    available.set(word, left - 1);
    return left <= 0;
  });
  return { share: 1 - missing.length / Math.max(wanted.length, 1), missing };
}

function words(text: string): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);
}
