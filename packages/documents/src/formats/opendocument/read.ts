import { annotation, heading, Identifier, other } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { summarize } from '../facts.ts';
import { flowDocument, wholeDocument } from '../flow.ts';
import { Package } from '../ooxml/package.ts';
import { withSums } from '../ooxml/picture.ts';
import { child, children, descendants, readOptionalXml, readXml, type XmlNode } from '../ooxml/xml.ts';
import type { OpenReader } from '../reader.ts';
import { isEdge, SlideEdges } from './edges.ts';
import { readFacts } from './facts.ts';
import { TextReader, TextStyles } from './text.ts';

/** odt: pages begin at top-level headings, as in docx. */
export const openOdt: OpenReader = async file => {
  await using zip = await Package.open(file);
  const content = await readXml(zip, 'content.xml');
  const reader = new TextReader(new TextStyles([content, await readOptionalXml(zip, 'styles.xml')]));
  reader.read(child(content, 'body', 'text'));
  return flowDocument(withSums(zip, reader.elements), await readFacts(zip), file.name);
};

/** odp: a slide is a page. */
export const openOdp: OpenReader = async file => {
  await using zip = await Package.open(file);
  const content = await readXml(zip, 'content.xml');
  const common = await readOptionalXml(zip, 'styles.xml');
  const styles = new TextStyles([content, common]);
  const edges = new SlideEdges(content, common);
  const slides = children(child(content, 'body', 'presentation'), 'page');
  if (slides.length === 0) throw new UnreadableError('The presentation has no slides');
  const pages = slides.map((slide, index) => readSlide(zip, slide, { styles, edges, index }));
  const facts = await readFacts(zip);
  const titles = pages.map(({ title }) => title);
  const size = `${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`;
  return wholeDocument(
    { summary: summarize(size, titles.slice(1, 6)), title: titles[0] ?? file.name, ...facts },
    pages,
  );
};

interface SlideContext {
  styles: TextStyles;
  edges: SlideEdges;
  index: number;
}

function readSlide(zip: Package, slide: XmlNode, { styles, edges, index }: SlideContext) {
  const reader = new TextReader(styles);
  const shapes = children(slide).flatMap(flatten);
  const titleShape = shapes.find(({ attributes }) => attributes['presentation:class'] === 'title');
  const title = descendants(titleShape, 'p')
    .map(part => reader.inline(part))
    .join(' ')
    .trim();
  for (const shape of shapes) {
    if (shape === titleShape || shape.name === 'notes' || isEdge(shape)) continue;
    for (const part of children(shape)) reader.read(part.name === 'text-box' ? part : { ...part, children: [part] });
  }
  const notes = descendants(children(slide, 'notes')[0], 'p')
    .map(part => reader.inline(part).trim())
    .filter(Boolean);
  const footer = edges.texts(slide, shapes, index + 1);
  const identifier = new Identifier();
  const elements = [
    ...(title === '' ? [] : [heading(1, title)]),
    ...withSums(zip, reader.elements),
    ...(footer.length === 0 ? [] : [other('footer', footer.join(' | '))]),
    ...(notes.length === 0 ? [] : [annotation(notes.join('\n'), 'Notes')]),
  ];
  return { title: title || `Slide ${index + 1}`, elements: elements.map(element => identifier.identify(element)) };
}

/** Shapes in drawing order, those of groups included. */
function flatten(shape: XmlNode): XmlNode[] {
  return shape.name === 'g' ? children(shape).flatMap(flatten) : [shape];
}
