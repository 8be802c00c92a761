import { Identifier } from '@a2c-smcp/publish/content';
import { FileSource, type FileVersion, UnreadableError } from '../../file.ts';
import type { CompoundFile } from '../compound/compound-file.ts';
import { readCompound } from '../compound/read.ts';
import { readSummary } from '../compound/summary.ts';
import { meantText, summarize } from '../facts.ts';
import { wholeDocument } from '../flow.ts';
import { toPicture } from '../picture.ts';
import type { OpenReader, PictureReader } from '../reader.ts';
import { Presentation } from './presentation.ts';
import { findRecord, RecordType, recordAt, records } from './records.ts';
import { readSlide, type ShownSlide } from './slide.ts';

/** Slides whose titles are the summary. */
const TITLE_SLIDES = 6;
const ENTRY_BYTES = 36;
/** The sum before the bytes of a picture, and the byte behind it. */
const SUM_BYTES = 16;

/** ppt: a slide is a page. Some programs write pptx under this name. */
export const openPpt: OpenReader = async file => {
  if (await isArchive(file)) return (await import('../pptx/read.ts')).openPptx(file);
  const compound = await readCompound(file);
  const slides = readPpt(compound);
  const own = readSummary(compound);
  const titles = slides.slice(0, TITLE_SLIDES).map(slide => slide.title);
  const title = own.title ?? meantText(titles[0]);
  const size = `${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`;
  const summary = summarize(
    size,
    titles.filter(text => text !== title),
  );
  const pages = slides.map(({ title: name, isHidden, elements }, index) => {
    const identifier = new Identifier();
    return {
      title: `${name || `Slide ${index + 1}`}${isHidden ? ' (hidden)' : ''}`,
      elements: elements.map(element => identifier.identify(element)),
    };
  });
  return wholeDocument({ summary, ...own, ...(title !== undefined && { title }) }, pages);
};

/** Reads the slides of a presentation. */
export function readPpt(file: CompoundFile): ShownSlide[] {
  const slides = new Presentation(file).slides().map(readSlide);
  if (slides.length === 0) throw new UnreadableError('The presentation has no slides');
  return slides;
}

/** A picture by its number in the store of the file, from 1. */
export const readPptPicture: PictureReader = async (file, part) => {
  if (await isArchive(file)) return (await import('../ooxml/picture.ts')).readPart(file, part);
  const compound = await readCompound(file);
  const group = findRecord(new Presentation(compound).document, RecordType.drawingGroup)?.body;
  const store = findRecord(findRecord(group, RecordType.groupOfPictures)?.body, RecordType.pictureStore)?.body;
  const entry = [...records(store ?? Buffer.alloc(0))][Number(part) - 1]?.body;
  const pictures = compound.stream('Pictures');
  if (entry === undefined || entry.length < ENTRY_BYTES || pictures === undefined) return undefined;
  const { body, instance } = recordAt(pictures, entry.readUInt32LE(28));
  // An odd number announces a second sum.
  return toPicture(body.subarray(SUM_BYTES * (1 + (instance & 1)) + 1));
};

async function isArchive(file: FileVersion): Promise<boolean> {
  await using source = await FileSource.open(file);
  return (await source.read(0, 4)).toString('latin1') === 'PK\x03\x04';
}
