import type { Element } from '../../content/element.ts';
import { other } from '../../content/make.ts';
import { dealOut } from '../../content/paginate.ts';
import { flowDocument } from '../flow.ts';
import { mainPart, type Relation, readCoreFacts, readRelations } from '../ooxml/package.ts';
import { children, readOptionalXml, xmlItems } from '../ooxml/xml.ts';
import { ZipPackage } from '../ooxml/zip.ts';
import type { OpenReader } from '../reader.ts';
import { FlowReader } from './flow-reader.ts';
import { countLongPages, outlineDocx } from './header.ts';
import { blockText } from './inline.ts';
import { Styles } from './styles.ts';

/** docx: pages begin at top-level headings, since the file does not know where its printed pages end. */
export const openDocx: OpenReader = async file => {
  const zip = await ZipPackage.open(file);
  try {
    const part = await mainPart(zip, 'word/document.xml');
    const relations = await readRelations(zip, part);
    const partOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target;
    const reader = new FlowReader({
      zip,
      styles: await Styles.read(zip, partOf('styles'), partOf('numbering')),
      relations,
      footnotes: await readNotes(zip, partOf('footnotes'), 'footnote'),
      endnotes: await readNotes(zip, partOf('endnotes'), 'endnote'),
      comments: await readComments(zip, partOf('comments')),
    });
    for await (const blocks of xmlItems(zip, part, (_, depth) => depth === 3)) {
      for (const block of blocks) await reader.add(block);
    }
    const edges = async (kind: 'header' | 'footer', at: number) =>
      (await readEdges(zip, relations, kind)).map(element => ({ at, element }));
    const last = Number.POSITIVE_INFINITY;
    const placed = [...(await edges('header', 0)), ...reader.finish(), ...(await edges('footer', last))];
    const facts = await readCoreFacts(zip);
    const pageCount = countLongPages(zip.size(part));
    if (pageCount !== undefined) {
      const dealt = dealOut(
        placed.map(({ element }) => element),
        pageCount,
      );
      return flowDocument(dealt.placed, dealt.outline, facts, file.name);
    }
    const { outline } = await outlineDocx(zip, part, partOf('styles'));
    return flowDocument(placed, outline, facts, file.name);
  } finally {
    await zip.close();
  }
};

async function readNotes(zip: ZipPackage, part: string | undefined, name: string): Promise<Map<string, string>> {
  const notes = children(await readOptionalXml(zip, part), name);
  return new Map(notes.map(note => [note.attributes['w:id'] ?? '', blockText(note, new Map())]));
}

async function readComments(
  zip: ZipPackage,
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
  zip: ZipPackage,
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
