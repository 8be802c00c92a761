import { Identifier } from '../../content/identify.ts';
import { readRelations } from '../ooxml/package.ts';
import { ZipPackage } from '../ooxml/zip.ts';
import type { OpenReader } from '../reader.ts';
import { readSlideList } from './header.ts';
import { readSlide } from './slide.ts';

/** pptx: a slide is a page. Only the list of slides is read on opening. */
export const openPptx: OpenReader = async file => {
  const zip = await ZipPackage.open(file);
  try {
    const { part, slides: listed, facts } = await readSlideList(zip);
    const relations = await readRelations(zip, part);
    const slides = listed.map(({ scope, relation }) => ({ scope, part: relations.get(relation)?.target ?? '' }));
    return {
      facts,
      pageCount: slides.length,
      async page(index) {
        const slide = slides[index];
        if (slide === undefined) throw new TypeError(`No page ${index}`);
        const { title = `Slide ${index + 1}`, hidden, elements } = await readSlide(zip, slide.part);
        const identifier = new Identifier(slide.scope);
        return {
          title: hidden ? `${title} (hidden)` : title,
          elements: elements.map(element => identifier.identify(element)),
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
