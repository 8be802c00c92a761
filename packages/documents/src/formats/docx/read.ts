import { type Element, other } from '@a2c-smcp/publish/content';
import { flowDocument } from '../flow.ts';
import { Package } from '../ooxml/package.ts';
import { withSums } from '../ooxml/picture.ts';
import {
  children,
  descendants,
  mainPart,
  type Relation,
  readCoreFacts,
  readOptionalXml,
  readRelations,
  type XmlNode,
  xmlItems,
} from '../ooxml/xml.ts';
import type { OpenReader } from '../reader.ts';
import { FlowReader } from './flow-reader.ts';
import { blockText } from './inline.ts';
import { Styles } from './styles.ts';

/** docx: pages begin at top-level headings, since the file does not know where its printed pages end. */
export const openDocx: OpenReader = async file => {
  await using zip = await Package.open(file);
  const part = await mainPart(zip, 'word/document.xml');
  const relations = await readRelations(zip, part);
  const partOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target;
  const footnotes = await readNotes(zip, partOf('footnotes'), 'footnote');
  const endnotes = await readNotes(zip, partOf('endnotes'), 'endnote');
  const reader = new FlowReader({
    zip,
    styles: await Styles.read(zip, partOf('styles'), partOf('numbering')),
    relations,
    footnotes: byNumber(footnotes),
    endnotes: byNumber(endnotes),
    comments: await readComments(zip, partOf('comments')),
  });
  for await (const blocks of xmlItems(zip, part, (_, depth) => depth === 3)) {
    for (const block of blocks) {
      numberReferences(block, 'footnoteReference', footnotes);
      numberReferences(block, 'endnoteReference', endnotes);
      await reader.add(block);
    }
  }
  const [headers, footers] = [await readEdges(zip, relations, 'header'), await readEdges(zip, relations, 'footer')];
  return flowDocument([...headers, ...withSums(zip, reader.finish()), ...footers], await readCoreFacts(zip), file.name);
};

/** A note and the number that is shown for it. */
interface Note {
  number: string;
  text: string;
}

/** The notes by their ids, in their order. Lines that separate notes from the text are not among them. */
async function readNotes(zip: Package, part: string | undefined, name: string): Promise<Map<string, Note>> {
  const notes = children(await readOptionalXml(zip, part), name).filter(({ attributes }) => {
    return attributes['w:type'] === undefined || attributes['w:type'] === 'normal';
  });
  return new Map(
    notes.map((note, index) => {
      return [note.attributes['w:id'] ?? '', { number: String(index + 1), text: blockText(note, new Map()) }];
    }),
  );
}

function byNumber(notes: ReadonlyMap<string, Note>): Map<string, string> {
  return new Map([...notes.values()].map(({ number, text }) => [number, text]));
}

/** Replaces the ids of references to notes by the numbers that are shown. */
function numberReferences(block: XmlNode, name: string, notes: ReadonlyMap<string, Note>): void {
  if (notes.size === 0) return;
  for (const { attributes } of descendants(block, name)) {
    attributes['w:id'] = notes.get(attributes['w:id'] ?? '')?.number ?? '';
  }
}

async function readComments(
  zip: Package,
  part: string | undefined,
): Promise<Map<string, { text: string; author?: string }>> {
  const comments = children(await readOptionalXml(zip, part), 'comment');
  return new Map(
    comments.map(comment => {
      const author = comment.attributes['w:author'];
      return [comment.attributes['w:id'] ?? '', { text: blockText(comment, new Map()), ...(author && { author }) }];
    }),
  );
}

/** Each header or footer once, however many sections repeat it. */
async function readEdges(
  zip: Package,
  relations: ReadonlyMap<string, Relation>,
  kind: 'header' | 'footer',
): Promise<Element[]> {
  const texts = new Set<string>();
  for (const { type, target } of relations.values()) {
    if (type !== kind) continue;
    const root = await readOptionalXml(zip, target);
    const text = root === undefined ? '' : blockText(root, new Map()).trim();
    if (/\p{L}/u.test(text)) texts.add(text);
  }
  return [...texts].map(text => other(kind, text));
}
