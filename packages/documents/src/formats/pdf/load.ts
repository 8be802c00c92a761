import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type FileSource, UnreadableError } from '../../file.ts';
import { PageBudget } from './page-budget.ts';
import { getDocument, PDFDataRangeTransport, VerbosityLevel } from './pdfjs.ts';
import { PdfStructure } from './structure.ts';

/** Pictures with more pixels are not unpacked with a page, which mentions them without their place. */
export const MAX_PAGE_PIXELS = 4_000_000;
const CHUNK_BYTES = 64 * 1024;
const assets = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

type Loading = ReturnType<typeof getDocument>;
export type Pdf = Awaited<Loading['promise']>;
export type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

/** An open PDF: pdf.js for its pages, and its objects, unless it breaks the rules of the format. */
export interface LoadedPdf {
  pdf: Pdf;
  structure: PdfStructure | undefined;
  budget: PageBudget | undefined;
}

export interface LoadOptions {
  /** Pictures with more pixels are not unpacked. */
  maxPixels: number;
  /** Loads the letters of fonts that the file names without having them, to draw pages. Their widths and codes are known. */
  drawsFonts: boolean;
}

/** Opens a PDF. Throws an `UnreadableError` with the reason. */
export async function loadPdf(
  source: FileSource,
  size: number,
  { maxPixels, drawsFonts }: LoadOptions,
): Promise<LoadedPdf> {
  if (size === 0) throw new UnreadableError('The file is empty');
  const range = new FileRange(source, size);
  const loading = getDocument({
    range,
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    useSystemFonts: false,
    stopAtErrors: false,
    maxImageSize: maxPixels,
    cMapUrl: join(assets, 'cmaps/'),
    cMapPacked: true,
    ...(drawsFonts && { standardFontDataUrl: join(assets, 'standard_fonts/') }),
    wasmUrl: join(assets, 'wasm/'),
    verbosity: VerbosityLevel.ERRORS,
  });
  range.onFailure = error => void loading.destroy().catch(() => error);
  const pdf = await loading.promise.catch(cause => {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException';
    const reason = isLocked ? 'The file is protected by a password' : 'The file is damaged: it is not a complete PDF';
    throw new UnreadableError(reason, { cause });
  });
  const structure = await PdfStructure.read(source, size).catch(() => undefined);
  return { pdf, structure, budget: structure && new PageBudget(structure) };
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
