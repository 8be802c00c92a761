import type { Picture } from '@a2c-smcp/publish';
import { FileSource } from '../../file.ts';
import { MAX_PICTURE_BYTES, toPicture } from '../picture.ts';
import type { PictureReader } from '../reader.ts';
import { drawnImages } from './images.ts';
import { loadPdf, MAX_PAGE_PIXELS, type PdfPage } from './load.ts';
import { encodePng, halve, type Pixels } from './png.ts';
import { renderPage } from './render.ts';
import type { PdfStructure } from './structure.ts';

/** Larger pictures are not unpacked. */
const MAX_PIXELS = 40_000_000;
/** pdf.js numbers its kinds of pixels. */
const channelsByKind: Record<number, Pixels['channels']> = { 1: 'bit', 2: 3, 3: 4 };

/** A picture of a page: a jpeg as it is stored, any other as png, of half the size until it is small enough. */
export const readPdfPicture: PictureReader = async (file, part) => {
  const [, page, number, object] = /^(\d+)\.(?:(\d+)|object(\d+)|page)$/.exec(part) ?? [];
  if (page === undefined) return undefined;
  await using source = await FileSource.open(file);
  // The numbers of pictures count those that the page unpacks.
  const maxPixels = number === undefined ? MAX_PIXELS : MAX_PAGE_PIXELS;
  const { pdf, structure, budget } = await loadPdf(source, file.size, { maxPixels, drawsFonts: true });
  try {
    const opened = await pdf.getPage(Number(page));
    if (opened.ref !== null) await budget?.check(opened.ref.num);
    if (number === undefined && object === undefined) return await renderPage(opened);
    const stored = object === undefined ? undefined : await storedJpeg(structure, Number(object));
    if (stored !== undefined) return stored;
    const found = await findDrawn(opened, wanted(number, object));
    if (found === undefined) return undefined;
    return (await storedJpeg(structure, objectOf(found))) ?? toPng(found);
  } finally {
    await pdf.destroy();
  }
};

/** A picture as pdf.js unpacked it. */
interface Drawn {
  width: number;
  height: number;
  /** Missing for a mask, whose unset bits are drawn. */
  kind?: number;
  data?: Uint8Array;
  /** The object it comes from, as in `12R`. */
  ref?: string;
}

type IsWanted = (drawn: Drawn, number: number) => boolean;

function wanted(number: string | undefined, object: string | undefined): IsWanted {
  return object === undefined ? (_, index) => index === Number(number) : drawn => objectOf(drawn) === Number(object);
}

async function findDrawn(page: PdfPage, isWanted: IsWanted): Promise<Drawn | undefined> {
  const { transform } = page.getViewport({ scale: 1 });
  for (const { number, args } of drawnImages(await page.getOperatorList(), transform)) {
    const drawn = await pixelsOf(page, args);
    if (drawn !== undefined && isWanted(drawn, number)) return drawn;
  }
  return undefined;
}

/** An operator has the pixels themselves, or the name under which pdf.js keeps them. */
async function pixelsOf(page: PdfPage, args: unknown): Promise<Drawn | undefined> {
  const [first] = Array.isArray(args) ? (args as unknown[]) : [];
  const mask = typeof first === 'object' && first !== null ? (first as { data?: unknown }) : undefined;
  const name = typeof first === 'string' ? first : mask?.data;
  if (typeof name !== 'string') return mask as Drawn | undefined;
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise(resolve => objects.get(name, (drawn: unknown) => resolve((drawn as Drawn | null) ?? undefined)));
}

function objectOf({ ref = '' }: Drawn): number | undefined {
  const number = /^(\d+)R/.exec(ref)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The bytes of a jpeg, unless they are encrypted, in colours for print, or shown otherwise than they are stored. */
async function storedJpeg(
  structure: PdfStructure | undefined,
  object: number | undefined,
): Promise<Picture | undefined> {
  if (structure === undefined || object === undefined) return undefined;
  const stream = await structure.packed(object, MAX_PICTURE_BYTES).catch(() => undefined);
  const filter = await structure.resolve(stream?.value.get('Filter'));
  const isJpeg =
    filter === '/DCTDecode' || (Array.isArray(filter) && filter.length === 1 && filter[0] === '/DCTDecode');
  if (stream === undefined || !isJpeg || stream.value.has('Decode') || coloursOf(stream.bytes) > 3) return undefined;
  const picture = toPicture(stream.bytes);
  return picture?.mimeType === 'image/jpeg' ? picture : undefined;
}

/** The number of colours of a jpeg, from the header of its frame; 4 if there is none. */
function coloursOf(jpeg: Buffer): number {
  for (let at = 2; at + 10 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return jpeg[at + 9] ?? 4;
    at += 2 + jpeg.readUInt16BE(at + 2);
  }
  return 4;
}

function toPng({ width, height, kind = 1, data }: Drawn): Picture | undefined {
  const channels = channelsByKind[kind];
  if (channels === undefined || data === undefined) return undefined;
  let pixels: Pixels = { width, height, channels, data };
  let bytes = encodePng(pixels);
  while (bytes.length > MAX_PICTURE_BYTES) {
    pixels = halve(pixels);
    bytes = encodePng(pixels);
  }
  return { mimeType: 'image/png', bytes };
}
