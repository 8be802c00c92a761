import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { annotation, type Element, type IdentifiedElement, Identifier, type Page } from '../../content/element.ts';
import { FileSource, UnreadableError } from '../../file.ts';
import type { OpenDocument, OpenReader } from '../reader.ts';
import { type Block, layOut } from './blocks.ts';
import { findImages } from './images.ts';
import { joinPieces, type Piece } from './lines.ts';
import { markElements } from './marks.ts';
import { PageBudget } from './page-budget.ts';
import { getDocument, PDFDataRangeTransport, VerbosityLevel } from './pdfjs.ts';
import { PdfStructure } from './structure.ts';

/** Pictures with more pixels are not unpacked; the page then does not mention them. */
const MAX_IMAGE_PIXELS = 4_000_000;
const CHUNK_BYTES = 64 * 1024;
/** Pages that are measured to find the size of running text. */
const SAMPLE_PAGES = 4;
/** A file that claims more pages is damaged, and a search through them would not end. */
const MAX_PAGES = 100_000;
const MAX_CHAPTERS = 20;

const assets = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** pdf: pdf.js reads the parts of the file that a page needs. */
export const openPdf: OpenReader = async file => {
  const source = await FileSource.open(file);
  try {
    if (file.size === 0) throw new UnreadableError('The file is empty');
    return await PdfDocument.read(source, file.size);
  } catch (cause) {
    await source.close();
    if (cause instanceof UnreadableError) throw cause;
    const isLocked = cause instanceof Error && cause.name === 'PasswordException';
    const reason = isLocked ? 'The file is protected by a password' : 'The file is damaged: it is not a complete PDF';
    throw new UnreadableError(reason, { cause });
  }
};

type Loading = ReturnType<typeof getDocument>;
type Pdf = Awaited<Loading['promise']>;
type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

class PdfDocument implements OpenDocument {
  readonly facts: OpenDocument['facts'];
  readonly pageCount: number;
  readonly #pdf: Pdf;
  readonly #source: FileSource;
  readonly #budget: PageBudget | undefined;
  #bodySize: Promise<number> | undefined;

  private constructor(
    pdf: Pdf,
    source: FileSource,
    { facts, pageCount, budget }: Pick<OpenDocument, 'facts' | 'pageCount'> & { budget: PageBudget | undefined },
  ) {
    this.#pdf = pdf;
    this.#source = source;
    this.#budget = budget;
    this.facts = facts;
    this.pageCount = pageCount;
  }

  static async read(source: FileSource, size: number): Promise<PdfDocument> {
    const range = new FileRange(source, size);
    const loading = getDocument({
      range,
      rangeChunkSize: CHUNK_BYTES,
      disableAutoFetch: true,
      disableStream: true,
      isEvalSupported: false,
      useSystemFonts: false,
      stopAtErrors: false,
      maxImageSize: MAX_IMAGE_PIXELS,
      cMapUrl: join(assets, 'cmaps/'),
      cMapPacked: true,
      standardFontDataUrl: join(assets, 'standard_fonts/'),
      wasmUrl: join(assets, 'wasm/'),
      verbosity: VerbosityLevel.ERRORS,
    });
    range.onFailure = error => void loading.destroy().catch(() => error);
    const pdf = await loading.promise;
    const structure = await PdfStructure.read(source, size).catch(() => undefined);
    const pageCount = Math.min(pdf.numPages, MAX_PAGES);
    return new PdfDocument(pdf, source, {
      facts: await readFacts(pdf, pageCount),
      pageCount,
      budget: structure && new PageBudget(structure),
    });
  }

  async page(index: number): Promise<Page<IdentifiedElement>> {
    const page = await this.#page(index + 1);
    try {
      this.#bodySize ??= this.#measure();
      return await readPage(page, index, await this.#bodySize);
    } finally {
      page.cleanup();
    }
  }

  async close(): Promise<void> {
    await this.#pdf.destroy();
    await this.#source.close();
  }

  /** A page that is not too complex to read. */
  async #page(number: number): Promise<PdfPage> {
    const page = await this.#pdf.getPage(number);
    if (page.ref !== null) await this.#budget?.check(page.ref.num);
    return page;
  }

  /** The size most letters have on the first pages. */
  async #measure(): Promise<number> {
    const letters = new Map<number, number>();
    for (let number = 1; number <= Math.min(SAMPLE_PAGES, this.#pdf.numPages); number += 1) {
      const page = await this.#page(number).catch(() => undefined);
      if (page === undefined) continue;
      for (const { text, size } of await readPieces(page)) {
        const rounded = Math.round(size * 2) / 2;
        letters.set(rounded, (letters.get(rounded) ?? 0) + text.trim().length);
      }
    }
    const [most] = [...letters].toSorted((a, b) => b[1] - a[1]);
    return most?.[0] ?? 12;
  }
}

async function readPage(page: PdfPage, index: number, bodySize: number): Promise<Page<IdentifiedElement>> {
  const { height, transform } = page.getViewport({ scale: 1 });
  const pieces = await readPieces(page);
  const blocks = layOut(joinPieces(pieces), { height, bodySize });
  const pictures = findImages(await page.getOperatorList(), transform);
  const marks = markElements(await page.getAnnotations(), pieces, y => height - y);
  const elements = withMarks(
    interleave(blocks, pictures).map(({ element }) => element),
    marks,
  );
  if (pieces.length === 0) elements.push(annotation('The page has no text; it may be a scanned picture'));
  const heading = elements.find(({ category }) => category === 'heading')?.content.text;
  const identifier = new Identifier();
  return {
    title: typeof heading === 'string' ? heading : `Page ${index + 1}`,
    elements: elements.map(element => identifier.identify(element)),
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

async function readPieces(page: PdfPage): Promise<Piece[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const [, , , scale = -1, , height = 0] = transform;
  const { items, styles } = await page.getTextContent();
  return items.flatMap(item => {
    if (!('str' in item)) return [];
    const [a = 0, b = 0, , , x = 0, y = 0] = item.transform;
    const size = item.height || Math.hypot(a, b);
    const isMonospaced = styles[item.fontName]?.fontFamily === 'monospace';
    return [{ text: item.str, x, y: height + scale * y, width: item.width, size, isMonospaced }];
  });
}

async function readFacts(pdf: Pdf, pageCount: number): Promise<OpenDocument['facts']> {
  const { info } = await pdf.getMetadata();
  const field = (name: string) => {
    const value = (info as Record<string, unknown>)[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const title = field('Title');
  const summary = field('Subject') ?? (await readContents(pdf)) ?? (pageCount === 1 ? '1 page' : `${pageCount} pages`);
  const keywords = field('Keywords')
    ?.split(/[,;]/)
    .map(keyword => keyword.trim())
    .filter(Boolean);
  return { ...(title && { title }), summary, ...(keywords && { keywords }) };
}

/** The chapters that the file's own table of contents names. */
async function readContents(pdf: Pdf): Promise<string | undefined> {
  const outline: { title: string }[] | null = await pdf.getOutline();
  const titles = outline?.map(({ title }) => title.trim()).filter(Boolean) ?? [];
  return titles.length === 0 ? undefined : titles.slice(0, MAX_CHAPTERS).join(', ');
}

/** Reads the parts of the file that pdf.js requests. */
class FileRange extends PDFDataRangeTransport {
  readonly #source: FileSource;
  onFailure: (error: unknown) => void = () => {};

  constructor(source: FileSource, size: number) {
    super(size, null);
    this.#source = source;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#source.read(begin, end - begin).then(
      bytes => this.onDataRange(begin, new Uint8Array(bytes.buffer, 0, bytes.length)),
      error => this.onFailure(error),
    );
  }
}
