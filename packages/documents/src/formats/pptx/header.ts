import { ZipDirectory } from '../ooxml/directory.ts';
import { mainPart, readCoreFacts } from '../ooxml/package.ts';
import type { PackageParts } from '../ooxml/parts.ts';
import { child, children, readXml } from '../ooxml/xml.ts';
import { type DocumentFacts, type HeaderReader, UnreadableError } from '../reader.ts';

/** What a presentation lists. */
export interface SlideList {
  /** The part that lists. */
  part: string;
  /** PowerPoint's own number of each slide, and what leads to its part. */
  slides: { scope: string; relation: string }[];
  facts: DocumentFacts;
}

/** Title and slides of a presentation; no slide is looked at. */
export const readPptxHeader: HeaderReader = async (source, file) => {
  const parts = await ZipDirectory.read(source, file.size);
  if (parts === undefined) return undefined;
  const { facts, slides } = await readSlideList(parts);
  return { ...facts, pageCount: slides.length };
};

/** The slides of a presentation, of which there must be one. */
export async function readSlideList(parts: PackageParts): Promise<SlideList> {
  const part = await mainPart(parts, 'ppt/presentation.xml');
  const slides = children(child(await readXml(parts, part), 'sldIdLst'), 'sldId').map(({ attributes }) => ({
    scope: `s${attributes.id}`,
    relation: attributes['r:id'] ?? '',
  }));
  if (slides.length === 0) throw new UnreadableError('The presentation has no slides');
  const summary = `${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`;
  return { part, slides, facts: { summary, ...(await readCoreFacts(parts)) } };
}
