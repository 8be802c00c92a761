import { FileSource, type FileVersion, UnreadableError } from '../../file.ts';
import { meantFacts } from '../facts.ts';
import { flowDocument } from '../flow.ts';
import { toPicture } from '../picture.ts';
import type { OpenReader, PictureReader } from '../reader.ts';
import { readRtf } from './reader.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** rtf: pages begin at headings, as in docx. */
export const openRtf: OpenReader = async file => {
  const { elements, facts } = readRtf(await readBytes(file));
  return flowDocument(elements, meantFacts(facts), file.name);
};

/** A picture by its number in the document. */
export const readRtfPicture: PictureReader = async (file, part) =>
  toPicture(readRtf(await readBytes(file), { picture: Number(part) }).picture);

async function readBytes(file: FileVersion): Promise<Buffer> {
  if (file.size > MAX_BYTES) throw new UnreadableError('The file is too large to be read');
  await using source = await FileSource.open(file);
  const bytes = await source.read(0, file.size);
  const head = bytes.toString('latin1', 0, 64);
  // Programs that write a part of a document leave its frame out.
  if (/^\s*\{\s*\\pard\b/.test(head)) return Buffer.concat([Buffer.from('{\\rtf1 '), bytes, Buffer.from('}')]);
  if (!/^\s*\{\s*\\rtf/.test(head)) throw new UnreadableError('The file is damaged: it is not an RTF document');
  return bytes;
}
