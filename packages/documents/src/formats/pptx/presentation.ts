import { Identifier } from '../../content/identify.ts';
import { readCoreFacts, readRelations } from '../ooxml/package.ts';
import { child, children, readXml } from '../ooxml/xml.ts';
import { ZipPackage } from '../ooxml/zip.ts';
import { type OpenReader, UnreadableError } from '../reader.ts';
import { readSlide } from './slide.ts';

/** pptx: a slide is a page. Only the list of slides is read on opening. */
export const openPptx: OpenReader = async path => {
  const zip = await ZipPackage.open(path);
  try {
    const roots = [...(await readRelations(zip, '')).values()];
    const part = roots.find(({ type }) => type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
    const relations = await readRelations(zip, part);
    const slides = children(child(await readXml(zip, part), 'sldIdLst'), 'sldId').map(({ attributes }) => ({
      scope: `s${attributes.id}`,
      part: relations.get(attributes['r:id'] ?? '')?.target ?? '',
    }));
    if (slides.length === 0) throw new UnreadableError('The presentation has no slides');
    return {
      facts: { summary: `${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`, ...(await readCoreFacts(zip)) },
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
