import { type Element, Identifier } from '@a2c-smcp/publish/content';
import { splitLong } from '../../content/split.ts';
import { FileSource } from '../../file.ts';
import { meantFacts, meantText, summarize } from '../facts.ts';
import type { OpenDocument, OpenReader, ReadPage } from '../reader.ts';
import { type Block, layOut, lineText } from './blocks.ts';
import { findImages } from './images.ts';
import { joinPieces, type Piece } from './lines.ts';
import { loadPdf, MAX_PAGE_PIXELS, type Pdf, type PdfPage } from './load.ts';
import { markElements } from './marks.ts';
import type { OperatorList } from './operators.ts';
import type { Drawn, LargePicture, PageBudget } from './page-budget.ts';
import { takeRuledTables } from './ruled-tables.ts';
import { findRules } from './rules.ts';
import { withScan } from './scan.ts';

/** Pages that are measured to find the size of running text. */
const SAMPLE_PAGES = 4;
/** Letters of one size on a page that are more than headings. */
const MIN_PROSE_LETTERS = 1000;
/** A file that claims more pages is damaged, and a search through them would not end. */
const MAX_PAGES = 100_000;
const MAX_CHAPTERS = 20;
/** With a larger share of equally wide letters, they are the text and not listings in it. */
const MONOSPACED_SHARE = 0.8;
/** Lines of the first page that title and summary are made of. */
const FIRST_LINES = 40;

/** pdf: pdf.js reads the parts of the file that a page needs. */
export const openPdf: OpenReader = async file => {
  const source = await FileSource.open(file);
  try {
    return await PdfDocument.read(source, file.size);
  } catch (error) {
    await source.close();
    throw error;
  }
};

/** A page that is not too complex to read. */
interface CheckedPage {
  page: PdfPage;
  /** Pictures that are too large to be read with it. */
  large: LargePicture[];
  /** The drawing operators, as far as tables and pictures need them. */
  operators(): Promise<OperatorList>;
}

/** The pages of a PDF. The text of the first ones is needed for the title, the size of letters and the page itself. */
class PdfPages {
  readonly #pdf: Pdf;
  readonly #budget: PageBudget | undefined;
  /** By number, for those that were not read as a page yet. */
  readonly #pieces = new Map<number, Promise<Piece[]>>();

  constructor(pdf: Pdf, budget: PageBudget | undefined) {
    this.#pdf = pdf;
    this.#budget = budget;
  }

  /** @param number from 1 */
  async page(number: number): Promise<CheckedPage> {
    const page = await this.#pdf.getPage(number);
    const drawn = page.ref === null ? undefined : await this.#budget?.check(page.ref.num);
    const large = drawn?.pictures.filter(({ pixels }) => pixels > MAX_PAGE_PIXELS) ?? [];
    return { page, large, operators: () => listOperators(page, drawn) };
  }

  /** The text of one of the first pages, kept until the page is read. */
  async sample(number: number): Promise<Piece[]> {
    const { page } = await this.page(number);
    const known = this.#pieces.get(number) ?? readPieces(page);
    this.#pieces.set(number, known);
    return known;
  }

  /** The text of a page that is read. */
  pieces({ page }: CheckedPage): Promise<Piece[]> {
    const known = this.#pieces.get(page.pageNumber);
    this.#pieces.delete(page.pageNumber);
    return known ?? readPieces(page);
  }
}

/** pdf.js lists everything that a page draws, which takes as long as its text again; lines alone are read without it. */
async function listOperators(page: PdfPage, drawn: Drawn | undefined): Promise<OperatorList> {
  return drawn === undefined || drawn.hasPictures ? page.getOperatorList() : drawn.paths;
}

class PdfDocument implements OpenDocument {
  readonly facts: OpenDocument['facts'];
  readonly pageCount: number;
  readonly #pdf: Pdf;
  readonly #source: FileSource;
  readonly #pages: PdfPages;
  #body: Promise<Body> | undefined;

  private constructor(
    pdf: Pdf,
    source: FileSource,
    { facts, pageCount, pages }: Pick<OpenDocument, 'facts' | 'pageCount'> & { pages: PdfPages },
  ) {
    this.#pdf = pdf;
    this.#source = source;
    this.#pages = pages;
    this.facts = facts;
    this.pageCount = pageCount;
  }

  static async read(source: FileSource, size: number): Promise<PdfDocument> {
    const { pdf, budget } = await loadPdf(source, size, { maxPixels: MAX_PAGE_PIXELS, drawsFonts: false });
    const pageCount = Math.min(pdf.numPages, MAX_PAGES);
    const pages = new PdfPages(pdf, budget);
    return new PdfDocument(pdf, source, { facts: await readFacts(pdf, pageCount, pages), pageCount, pages });
  }

  async page(index: number): Promise<ReadPage> {
    const checked = await this.#pages.page(index + 1);
    try {
      this.#body ??= this.#measure();
      const body = await this.#body;
      return await readPage(checked, { index, body, pieces: await this.#pages.pieces(checked) });
    } finally {
      checked.page.cleanup();
    }
  }

  async close(): Promise<void> {
    await this.#pdf.destroy();
    await this.#source.close();
  }

  /** The size most letters have on the first pages, and whether nearly all of them are equally wide. */
  async #measure(): Promise<Body> {
    const letters = new LetterSizes();
    let [all, monospaced] = [0, 0];
    for (let number = 1; number <= Math.min(SAMPLE_PAGES, this.#pdf.numPages); number += 1) {
      for (const piece of await this.#pages.sample(number).catch(() => [])) {
        const length = letters.add(piece);
        all += length;
        if (piece.isMonospaced) monospaced += length;
      }
    }
    return { size: letters.most().size ?? 12, isMonospaced: monospaced > MONOSPACED_SHARE * all };
  }
}

/** Counts letters by their size, to half a point. */
class LetterSizes {
  readonly #letters = new Map<number, number>();

  /** Returns the number of letters. */
  add({ text, size }: Piece): number {
    const rounded = Math.round(size * 2) / 2;
    const { length } = text.trim();
    this.#letters.set(rounded, (this.#letters.get(rounded) ?? 0) + length);
    return length;
  }

  /** The size that most letters have, and their number. */
  most(): { size?: number; count: number } {
    const [most] = [...this.#letters].toSorted((a, b) => b[1] - a[1]);
    return most === undefined ? { count: 0 } : { size: most[0], count: most[1] };
  }
}

/** The size of running text on a page, which may be larger than on the first pages. */
function bodySizeOf(pieces: readonly Piece[], { size }: Body): number {
  const letters = new LetterSizes();
  for (const piece of pieces) letters.add(piece);
  const { size: own = 0, count } = letters.most();
  return count < MIN_PROSE_LETTERS ? size : Math.max(size, own);
}

/** The running text of a document. */
interface Body {
  size: number;
  /** Set for typewriter text and for text that was recognised in scans, which has a font without letters. */
  isMonospaced: boolean;
}

async function readPage(
  { page, large, operators: list }: CheckedPage,
  { index, body, pieces }: { index: number; body: Body; pieces: readonly Piece[] },
): Promise<ReadPage> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const operators = await list();
  const { blocks: tables, rest } = takeRuledTables(pieces, findRules(operators, transform));
  const text = body.isMonospaced ? rest.map(piece => ({ ...piece, isMonospaced: false })) : rest;
  const blocks = layOut(joinPieces(text), { height, bodySize: bodySizeOf(text, body) });
  const characters = pieces.reduce((sum, { text }) => sum + text.trim().length, 0);
  const { pictures, scan, remark } = withScan({
    page: index + 1,
    width,
    height,
    rotation: page.rotate,
    characters,
    pictures: findImages(operators, transform, { page: index + 1, large }),
    operators,
  });
  const marks = markElements(await page.getAnnotations(), pieces, y => height - y);
  const elements = withMarks(
    interleave(interleave(blocks, tables), pictures).map(({ element }) => element),
    marks,
  );
  if (remark !== undefined) elements.push(remark);
  const heading = elements.find(({ category }) => category === 'heading')?.content.text;
  const identifier = new Identifier();
  return {
    title: typeof heading === 'string' ? heading : `Page ${index + 1}`,
    elements: splitLong(elements).map(element => identifier.identify(element)),
    ...(scan !== undefined && { scan }),
  };
}

/** A link that is all of a text takes its place; other marks follow at the end. */
function withMarks(elements: readonly Element[], marks: readonly Element[]): Element[] {
  const links = new Map(marks.filter(({ category }) => category === 'link').map(mark => [mark.content.text, mark]));
  const placed = new Set<Element>();
  const merged = elements.map(element => {
    const found = element.category === 'text' ? links.get(element.content.text) : undefined;
    if (found !== undefined) placed.add(found);
    return found === undefined ? element : { ...found, ...(element.metadata && { metadata: element.metadata }) };
  });
  return [...merged, ...marks.filter(mark => !placed.has(mark))];
}

/** Each picture goes before the first text that begins below its top. */
function interleave(blocks: readonly Block[], pictures: readonly Block[]): Block[] {
  const merged = [...blocks];
  for (const picture of pictures) {
    const place = merged.findIndex(({ top }) => top > picture.top);
    merged.splice(place < 0 ? merged.length : place, 0, picture);
  }
  return merged;
}

/** Letters by their shape inside a word, as no search finds them. */
const presentation = /[\ufb00-\ufdff\ufe70-\ufeff]/;
const presentations = /[\ufb00-\ufdff\ufe70-\ufeff]+/g;

async function readPieces(page: PdfPage): Promise<Piece[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent();
  return items.flatMap(item => {
    if (!('str' in item)) return [];
    const [a = 0, b = 0, , , left = 0, bottom = 0] = item.transform;
    // As the page is shown: turned, and from the corner of what it shows.
    const { x, y } = place(transform, left, bottom);
    const size = item.height || Math.hypot(a, b);
    const style = styles[item.fontName];
    const isMonospaced = style?.fontFamily === 'monospace' && !style.vertical;
    // A soft hyphen that is drawn is a hyphen.
    const drawn = item.str.replaceAll('\xad', '-');
    const text = presentation.test(drawn) ? drawn.replace(presentations, form => form.normalize('NFKC')) : drawn;
    const isRtl = item.dir === 'rtl';
    return [{ text, x, y, width: item.width, size, isMonospaced, ...(isRtl && { isRtl }) }];
  });
}

function place(transform: readonly number[], left: number, bottom: number): { x: number; y: number } {
  const [a = 1, b = 0, c = 0, d = -1, e = 0, f = 0] = transform;
  return { x: a * left + c * bottom + e, y: b * left + d * bottom + f };
}

async function readFacts(pdf: Pdf, pageCount: number, pages: PdfPages): Promise<OpenDocument['facts']> {
  const { info } = await pdf.getMetadata();
  const field = (name: string) => {
    const value = (info as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  };
  const keywords = field('Keywords')?.split(/[,;]/);
  const own = meantFacts({
    ...(field('Title') && { title: field('Title') }),
    ...(field('Subject') && { summary: field('Subject') }),
    ...(keywords && { keywords }),
  });
  const size = pageCount === 1 ? '1 page' : `${pageCount} pages`;
  const contents = own.summary === undefined ? await readContents(pdf) : undefined;
  if (own.title !== undefined && (own.summary ?? contents) !== undefined) return { summary: contents ?? '', ...own };
  const first = await readFirstLines(pages).catch(() => []);
  const title = own.title ?? meantText(titleOf(first));
  const words = first.map(({ text }) => text).filter(text => text !== title);
  const summary = own.summary ?? contents ?? summarize(size, [words.join(' ')]);
  return { ...own, summary, ...(title !== undefined && { title }) };
}

interface FirstLine {
  text: string;
  size: number;
}

/** The first lines of the first page. */
async function readFirstLines(pages: PdfPages): Promise<FirstLine[]> {
  const lines = joinPieces(await pages.sample(1)).slice(0, FIRST_LINES);
  return lines.map(line => ({ text: lineText(line), size: line.size }));
}

/** The largest line, if it is larger than most and short enough to be a title. */
function titleOf(lines: readonly FirstLine[]): string | undefined {
  const sizes = lines.map(({ size }) => size).toSorted((a, b) => a - b);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const largest = lines.toSorted((a, b) => b.size - a.size)[0];
  if (largest === undefined || largest.size < usual * 1.12 || largest.text.length > 150) return undefined;
  return /\p{L}{2}/u.test(largest.text) ? largest.text : undefined;
}

/** The chapters that the file's own table of contents names. */
async function readContents(pdf: Pdf): Promise<string | undefined> {
  const outline: { title: string }[] | null = await pdf.getOutline();
  const titles = outline?.map(({ title }) => title.trim()).filter(Boolean) ?? [];
  return titles.length === 0 ? undefined : titles.slice(0, MAX_CHAPTERS).join(', ');
}
