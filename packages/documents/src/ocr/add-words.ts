import { annotation, type Element, Identifier, paragraph } from '@a2c-smcp/publish/content';
import type { ReadPage } from '../formats/reader.ts';
import type { Recognise } from './recogniser-port.ts';

const OFF =
  'Words in the picture are not read: text recognition is off. Start a2c-documents with --ocr to switch it on';

/** Milliseconds between signs of life while a picture is read. */
const PROGRESS_INTERVAL_MS = 1000;

export interface AddWordsOptions {
  /** Undefined if text recognition is off. */
  recognise: Recognise | undefined;
  /** The picture of the page; undefined if it cannot be shown. */
  picture: () => Promise<Uint8Array | undefined>;
  onProgress?: ((share: number) => void) | undefined;
}

/** Adds the words in the picture of a page at its end, or why there are none. */
export async function addWords(page: ReadPage, { recognise, picture, onProgress }: AddWordsOptions): Promise<ReadPage> {
  const added = recognise === undefined ? [annotation(OFF)] : await readWords(recognise, picture, onProgress);
  const identifier = new Identifier();
  // An id of its own, also for a text that the page has already.
  const identified = added.map(element =>
    identifier.identify({ ...element, identity: `recognised\n${JSON.stringify(element.content)}` }),
  );
  return { ...page, elements: [...page.elements, ...identified] };
}

async function readWords(
  recognise: Recognise,
  picture: AddWordsOptions['picture'],
  onProgress: AddWordsOptions['onProgress'],
): Promise<Element[]> {
  const bytes = await picture();
  if (bytes === undefined)
    return [annotation('Words in the picture are not read: it cannot be unpacked or is too large')];
  const timer = setInterval(() => onProgress?.(0.5), PROGRESS_INTERVAL_MS);
  try {
    const words = paragraphs(await recognise(bytes));
    if (words.length === 0) return [annotation('Text recognition found no words in the picture')];
    return [annotation('The following text was recognised in the picture and may have errors'), ...words];
  } catch (error) {
    return [annotation(`Words in the picture are not read. ${error instanceof Error ? error.message : String(error)}`)];
  } finally {
    clearInterval(timer);
  }
}

/** Tesseract separates blocks by blank lines and pages by form feeds. */
function paragraphs(text: string): Element[] {
  return text
    .split(/\f|\n[ \t]*\n+/)
    .map(part => part.trim())
    .filter(Boolean)
    .map(paragraph);
}
