import { type Element, other } from '@a2c-smcp/publish/content';
import { FileSource, UnreadableError } from '../../file.ts';
import { meantFacts } from '../facts.ts';
import { flowDocument } from '../flow.ts';
import { child, children, descendants, parseXml, type Relation, textOf, val, type XmlNode } from '../ooxml/xml.ts';
import type { DocumentFacts, OpenReader } from '../reader.ts';
import { decodeText } from '../text/encoding.ts';
import { numberFormats } from '../word/numbering.ts';
import { FlowReader } from './flow-reader.ts';
import { blockText } from './inline.ts';
import { Styles } from './styles.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** Elements around blocks that mean nothing for the text. */
const containers = ['sect', 'sub-section', 'pBdrGroup', 'annotation', 'content'];
/** Elements that docx has under other names. */
const elements = new Map([
  ['listPr', 'numPr'],
  ['ilfo', 'numId'],
  ['listDef', 'abstractNum'],
  ['list', 'num'],
  ['ilst', 'abstractNumId'],
  ['hlink', 'hyperlink'],
]);
const attributes = new Map([
  ['w:ilfo', 'w:numId'],
  ['w:listDefId', 'w:abstractNumId'],
]);

/** The XML of Word 2003: what docx has in parts is in one file. Programs write it under the name of doc. */
export const openWordXml: OpenReader = async file => {
  if (file.size > MAX_BYTES) throw new UnreadableError('The file is too large to be read');
  await using source = await FileSource.open(file);
  const root = parseXml(decodeText(await source.read(0, file.size)), 'wordDocument');
  const translator = new Translator();
  translator.translate(root);
  const reader = new FlowReader({
    zip: undefined,
    styles: new Styles(child(root, 'styles'), child(root, 'lists')),
    relations: translator.links,
    footnotes: translator.notes.footnote,
    endnotes: translator.notes.endnote,
    comments: new Map(),
  });
  for (const block of blocksOf(child(root, 'body'))) await reader.add(block);
  const shown = [...edges(root, 'hdr', 'header'), ...reader.finish(), ...edges(root, 'ftr', 'footer')];
  return flowDocument(shown, factsOf(root), file.name);
};

/** Gives a tree the names that docx has, and takes notes and addresses out of it. */
class Translator {
  readonly notes = { footnote: new Map<string, string>(), endnote: new Map<string, string>() };
  readonly links = new Map<string, Relation>();

  translate(node: XmlNode): void {
    for (const part of children(node)) this.translate(part);
    node.attributes = Object.fromEntries(
      Object.entries(node.attributes).map(([name, value]) => [attributes.get(name) ?? name, value]),
    );
    if (node.name === 'nfc') {
      node.attributes = { 'w:val': numberFormats[Number(val(node))] ?? 'decimal' };
      node.name = 'numFmt';
    } else if (node.name === 'footnote' || node.name === 'endnote') this.#note(node, node.name);
    else if (node.name === 'hlink') this.#link(node);
    node.name = elements.get(node.name) ?? node.name;
  }

  #note(node: XmlNode, kind: 'footnote' | 'endnote'): void {
    const notes = this.notes[kind];
    const id = String(notes.size + 1);
    notes.set(id, blockText(node, this.links));
    node.name = `${kind}Reference`;
    node.attributes = { 'w:id': id };
    node.children = [];
  }

  #link(node: XmlNode): void {
    const target = node.attributes['w:dest'];
    if (target === undefined) return;
    const id = String(this.links.size + 1);
    this.links.set(id, { id, type: 'hyperlink', target, external: true });
    node.attributes = { 'r:id': id };
  }
}

function blocksOf(container: XmlNode | undefined): XmlNode[] {
  return children(container).flatMap(part => (containers.includes(part.name) ? blocksOf(part) : [part]));
}

/** Each header or footer once, however many sections repeat it. */
function edges(root: XmlNode, name: string, kind: 'header' | 'footer'): Element[] {
  const texts = new Set(descendants(child(root, 'body'), name).map(edge => blockText(edge, new Map()).trim()));
  return [...texts].filter(text => /\p{L}/u.test(text)).map(text => other(kind, text));
}

function factsOf(root: XmlNode): DocumentFacts {
  const text = (name: string) => textOf(child(root, 'DocumentProperties', name)).trim();
  return meantFacts({
    title: text('Title'),
    summary: text('Description') || text('Subject'),
    keywords: text('Keywords').split(/[,;]/),
  });
}
