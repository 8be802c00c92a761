import { createHash } from 'node:crypto';
import { annotation, type Element, image, paragraph, shorten, table } from '@a2c-smcp/publish/content';
import { paginate } from '../../content/paginate.ts';
import { FileSource, type FileVersion, UnreadableError } from '../../file.ts';
import { summarize } from '../facts.ts';
import { MAX_PICTURE_BYTES } from '../picture.ts';
import type { OpenReader, PictureReader } from '../reader.ts';
import { fileReader } from './byte-reader.ts';
import { type DescribedImage, describeImage } from './describe-image.ts';
import { type ImageKind, kindOf, svgKind } from './kinds.ts';
import { noFacts } from './parts.ts';
import { canShrink, MAX_SHRUNK_BYTES, shrink } from './shrink.ts';
import { readSvg } from './svg.ts';

/** The `part` of the picture that is the file itself. */
const WHOLE = 'file';
const HASH_CHUNK_BYTES = 1024 * 1024;

/** Pictures: a page with what their metadata says and the picture as it is stored. Pixels are not unpacked. */
export const openImage: OpenReader = async file => {
  if (file.size === 0) throw new UnreadableError('The file is empty');
  await using source = await FileSource.open(file);
  const kind = kindOf(await source.read(0, 32));
  if (kind === undefined) throw new UnreadableError('The file is damaged: it is not a picture of a known format');
  return pictureDocument(file, kind, await describeImage(await kind.read(fileReader(source, file.size))));
};

/** svg: the words of the drawing, which is never drawn here. */
export const openSvg: OpenReader = async file => {
  const { title, description, texts, ...size } = await readSvg(file);
  const words: [string, string][] = texts.length === 0 ? [] : [['', texts.join('\n')]];
  return pictureDocument(file, svgKind, { ...noFacts, title, description, ...size, texts: words });
};

/** The bytes of the file, or a smaller picture if they are too many for an answer. */
export const readImageFile: PictureReader = async (file, part) => {
  if (part !== WHOLE || file.size > MAX_SHRUNK_BYTES) return undefined;
  await using source = await FileSource.open(file);
  const kind = file.type === 'svg' ? svgKind : kindOf(await source.read(0, 32));
  if (kind === undefined) return undefined;
  if (file.size <= MAX_PICTURE_BYTES) return { mimeType: kind.mimeType, bytes: await source.read(0, file.size) };
  const { width = Number.NaN, height = 0 } = await kind.read(fileReader(source, file.size));
  if (!canShrink(kind.mimeType, file.size, width * height)) return undefined;
  return shrink(await source.read(0, file.size));
};

function pictureDocument(file: FileVersion, kind: ImageKind, described: DescribedImage) {
  const { title, description, keywords, width, height } = described;
  const size = width === undefined || height === undefined ? '' : `, ${width} by ${height} pixels`;
  const shape = `${kind.name} picture${size}`;
  const pages = paginate(elementsOf(file, kind, shape, described), title || file.name);
  return {
    facts: {
      ...(title !== '' && { title: shorten(title, 200) }),
      ...(keywords.length > 0 && { keywords: [...keywords] }),
      summary: summarize(shape, [description || described.texts.map(([, text]) => text).join('; ')]),
    },
    pageCount: pages.length,
    async page(index: number) {
      const page = pages[index];
      if (page === undefined) throw new TypeError(`No page ${index}`);
      const { elements } = page;
      const [picture, ...rest] = elements;
      if (index > 0 || picture === undefined) return page;
      // The page is another one when the pixels change.
      const content = { ...picture.content, sha256: await sumOf(file) };
      return { ...page, elements: [{ ...picture, content }, ...rest], ...(kind.isRecognised && { scan: WHOLE }) };
    },
    async close() {},
  };
}

function elementsOf(file: FileVersion, kind: ImageKind, shape: string, described: DescribedImage): Element[] {
  const { title, description, keywords, author, copyright, taken, camera, pictures, texts, width, height } = described;
  const picture = image(title || shorten(description) || file.name);
  const pixels = (width ?? Number.NaN) * (height ?? 0);
  const fields = [
    ['Format', shape],
    ['Pictures in the file', pictures === undefined ? '' : String(pictures)],
    ['Taken', taken],
    ['Camera', camera],
    ['Author', author],
    ['Copyright', copyright],
    ['Keywords', keywords.join(', ')],
    ...texts.filter(([name]) => name !== ''),
  ].filter(([, value]) => value !== '');
  return [
    {
      ...picture,
      summary: shorten(`${picture.summary}: ${shape}`),
      content: { ...picture.content, mime_type: kind.mimeType, ...(width && { width, height }) },
      metadata: { part: WHOLE },
      identity: WHOLE,
    },
    table(['Field', 'Value'], fields),
    ...[description, ...texts.filter(([name]) => name === '').map(([, text]) => text)].filter(Boolean).map(paragraph),
    ...(file.size > MAX_PICTURE_BYTES
      ? [annotation(tooLarge(file.size, canShrink(kind.mimeType, file.size, pixels)))]
      : []),
  ];
}

function tooLarge(size: number, isShrunk: boolean): string {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  const reason = `it has ${megabytes(size)} MiB, and answers take ${megabytes(MAX_PICTURE_BYTES)}`;
  return `The picture is ${isShrunk ? 'handed over with fewer pixels' : 'not handed over'}: ${reason}`;
}

/** The sum of the whole file, which is read in portions. */
async function sumOf(file: FileVersion): Promise<string> {
  await using source = await FileSource.open(file);
  const hash = createHash('sha256');
  for (let at = 0; at < file.size; at += HASH_CHUNK_BYTES) {
    const bytes = await source.read(at, Math.min(HASH_CHUNK_BYTES, file.size - at));
    if (bytes.length === 0) break;
    hash.update(bytes);
  }
  return hash.digest('hex');
}
