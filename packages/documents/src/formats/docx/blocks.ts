import type { Block } from '../../content/outline.ts';
import { UnreadableError } from '../reader.ts';
import { elementsOf } from './elements-of.ts';
import type { ParagraphKind, ParagraphStyles } from './paragraph-styles.ts';

/** A paragraph or table of the body, as its tags show it. */
export interface DocxBlock extends Block {
  kind: 'heading' | 'text' | 'other';
  /** Its place in the part. */
  start: number;
  end: number;
}

const MAX_DEPTH = 200;
/** What paragraphs and tables of the body may be wrapped in. */
const wrappers = new Set(['document', 'body', 'sdt', 'sdtContent', 'ins', 'customXml']);

/**
 * The paragraphs and tables of a body, numbered in their order, found by looking for tags; nothing is parsed. Those that
 * say nothing are numbered too but left out.
 */
export function docxBlocks(xml: string, styles: ParagraphStyles): DocxBlock[] {
  const blocks: DocxBlock[] = [];
  let number = 0;
  for (const { name, start, end } of bodyItems(xml)) {
    const block = name === 'p' ? paragraphKind(xml.slice(start, end), styles) : table;
    if (block !== undefined) {
      const { kind, level } = block;
      blocks.push({ at: number, size: end - start, start, end, kind, ...(level !== undefined && { level }) });
    }
    number += 1;
  }
  return blocks;
}

const table = { kind: 'other', level: undefined } as const;

interface BodyItem {
  name: string;
  start: number;
  end: number;
}

// No expression here may pass over a `<`: it would look at the rest of the part from each of its tags.
const tag = /<([^\s/<>!?"]+)(?=[\s/>])(?:[^<>"]|"[^"]*")*>/g;

/** Goes through the tags; what is inside a paragraph or a table is passed over. */
function* bodyItems(xml: string): Generator<BodyItem> {
  const ends = new Map<string, RegExp>();
  tag.lastIndex = 0;
  for (let match = tag.exec(xml); match !== null; match = tag.exec(xml)) {
    const [text, qualified = ''] = match;
    const name = qualified.slice(qualified.indexOf(':') + 1);
    if (wrappers.has(name)) continue;
    const start = match.index;
    let end = start + text.length;
    if (!text.endsWith('/>')) {
      const tags =
        ends.get(qualified) ?? new RegExp(`<(/?)${literally(qualified)}(?=[\\s/>])(?:[^<>"]|"[^"]*")*>`, 'g');
      ends.set(qualified, tags);
      end = elementEnd(xml, tags, end);
    }
    if (name === 'p' || name === 'tbl') yield { name, start, end };
    tag.lastIndex = end;
  }
}

/** The offset behind the element whose tag ends at `from`; elements of the same name may be inside of it. */
function elementEnd(xml: string, tags: RegExp, from: number): number {
  tags.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const match = tags.exec(xml);
    if (match === null) return xml.length;
    if (match[1] === '/') depth -= 1;
    else if (!match[0].endsWith('/>')) depth += 1;
    if (depth > MAX_DEPTH) throw new UnreadableError('The file nests its contents too deeply');
  }
  return tags.lastIndex;
}

function literally(name: string): string {
  return name.replace(/[^\w:]/g, '\\$&');
}

const words = /<(?:\w+:)?t(?:\s[^<>]*)?>[^<]*[^\s<]/;
const drawing = /<(?:\w+:)?(?:drawing|pict|object|oMath)[\s>]/;
const styleId = /<(?:\w+:)?pStyle\s[^<>]*?val="([^"]*)"/;
const numbering = /<(?:\w+:)?numPr[\s>]/;
const outlineLevel = /<(?:\w+:)?outlineLvl\s[^<>]*?val="([^"]*)"/;

/** Nothing for a paragraph that says nothing. */
function paragraphKind(xml: string, styles: ParagraphStyles): ParagraphKind | undefined {
  if (!words.test(xml)) return drawing.test(xml) ? { kind: 'other' } : undefined;
  const [properties] = elementsOf(xml, 'pPr');
  if (properties === undefined) return styles.kindOf();
  const found = styles.kindOf(styleId.exec(properties)?.[1], outlineLevel.exec(properties)?.[1]);
  return found.kind === 'text' && numbering.test(properties) ? { kind: 'other' } : found;
}
