import { Identifier } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { meantText, summarize } from '../facts.ts';
import { Package } from '../ooxml/package.ts';
import { withSums } from '../ooxml/picture.ts';
import { child, children, mainPart, readCoreFacts, readRelations, readXml } from '../ooxml/xml.ts';
import type { DocumentFacts, OpenReader } from '../reader.ts';
import { readSlide, readSlideTitle } from './slide.ts';

/** Slides whose titles are the summary. */
const TITLE_SLIDES = 6;

/** pptx: a slide is a page. Opening reads the list of slides only. */
export const openPptx: OpenReader = async file => {
  const zip = await Package.open(file);
  try {
    const slides = await readSlideList(zip);
    return {
      facts: await readFacts(zip, slides),
      pageCount: slides.length,
      async page(index) {
        const slide = slides[index];
        if (slide === undefined) throw new TypeError(`No page ${index}`);
        const { title = `Slide ${index + 1}`, hidden, elements } = await readSlide(zip, slide.part);
        const identifier = new Identifier(slide.scope);
        return {
          title: hidden ? `${title} (hidden)` : title,
          elements: withSums(zip, elements).map(element => identifier.identify(element)),
        };
      },
      pageOfScope(scope) {
        const index = slides.findIndex(slide => slide.scope === scope);
        return index < 0 ? undefined : index;
      },
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
};

/** A presentation without a title of its own is called like its first slide. */
async function readFacts(zip: Package, slides: readonly { part: string }[]): Promise<DocumentFacts> {
  const titles: (string | undefined)[] = [];
  for (const { part } of slides.slice(0, TITLE_SLIDES)) {
    titles.push(await readSlideTitle(zip, part).catch(() => undefined));
  }
  const own = await readCoreFacts(zip);
  const title = own.title ?? meantText(titles[0]);
  const size = `${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`;
  const others = titles.filter(text => text !== undefined && text !== title) as string[];
  return { summary: summarize(size, others), ...own, ...(title !== undefined && { title }) };
}

/** The slides in their order, each with PowerPoint's own number as its scope. */
async function readSlideList(zip: Package): Promise<{ scope: string; part: string }[]> {
  const part = await mainPart(zip, 'ppt/presentation.xml');
  const relations = await readRelations(zip, part);
  const slides = children(child(await readXml(zip, part), 'sldIdLst'), 'sldId').map(({ attributes }) => ({
    scope: `s${attributes.id}`,
    part: relations.get(attributes['r:id'] ?? '')?.target ?? '',
  }));
  if (slides.length === 0) throw new UnreadableError('The presentation has no slides');
  return slides;
}
