import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { type ElementRules, elementRules, type HtmlKind, isEndBoundary } from './elements.ts';

/** A text, which has `data`, or an element. The root is an element without a name. */
export interface HtmlNode {
  data?: string;
  name?: string;
  kind?: HtmlKind | undefined;
  attribs?: Readonly<Record<string, string>>;
  children?: HtmlNode[];
  /** Set for tables with another one inside. */
  hasTable?: boolean;
}

export interface HtmlTree {
  root: HtmlNode;
  /** All `title` and `meta` elements, in order. */
  landmarks: HtmlNode[];
  /** Set if elements were nested deeper than allowed: their text is in those around them. */
  isCut: boolean;
}

/** The beginning of a tag, up to the end of its name or, without attributes, of itself. */
const tag = /<(\/?)([a-zA-Z][^\s/>]*)(>?)/y;
/** An attribute with what is before it. Without a name the tag ends behind it. */
const attribute = /[\s/]*(?:([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)?/y;
const readAttributes = new Set(
  'alt class colspan content href name placeholder reversed role rowspan src start title type value'.split(' '),
);
const noAttributes: HtmlNode['attribs'] = Object.freeze({});
/** XHTML, in which each element may end in its own tag. */
const xhtml = /^\s*<\?xml\b|<html\b[^>]*\bxmlns\s*=/i;
const XHTML_CHARACTERS = 2000;

/**
 * Parses HTML into elements and texts the way browsers do, as far as it matters for the text: with ends of elements that
 * are not written, and with tags that make no sense left out. Comments and declarations are left out, too, and so are
 * `html` and `body`. Most of the work is done by searches and patterns, which take little time even before they are
 * compiled. The time is linear in the length of the text.
 */
export function parseTree(text: string, maxDepth: number): HtmlTree {
  const builder = new TreeBuilder(maxDepth, xhtml.test(text.slice(0, XHTML_CHARACTERS)));
  let at = 0;
  while (at < text.length) {
    const begin = text.indexOf('<', at);
    if (begin !== at) builder.addText(decoded(begin < 0 ? text.slice(at) : text.slice(at, begin)));
    if (begin < 0) break;
    tag.lastIndex = begin;
    const [, slash, name = '', end] = tag.exec(text) ?? [];
    if (slash === undefined) at = passDeclaration(text, begin, builder);
    else if (slash === '/') {
      at = end === '>' ? tag.lastIndex : after(text, '>', tag.lastIndex);
      builder.close(elementRules(name));
    } else at = open(text, elementRules(name), end === '>' ? undefined : tag.lastIndex, builder);
  }
  return builder.finish();
}

/** Opens an element whose attributes begin at `from`, if it has any, and takes its text if that is no markup. */
function open(text: string, rules: ElementRules, from: number | undefined, builder: TreeBuilder): number {
  let at = tag.lastIndex;
  let attribs = noAttributes;
  let isClosed = false;
  if (from !== undefined) {
    const read: Record<string, string> = {};
    for (;;) {
      attribute.lastIndex = at;
      const [, name, double, single, bare] = attribute.exec(text) ?? [];
      at = attribute.lastIndex;
      if (name === undefined) break;
      const key = name.toLowerCase();
      if (!readAttributes.has(key) || read[key] !== undefined) continue;
      const value = double ?? single ?? bare ?? '';
      read[key] = value.includes('&') ? decodeHTMLAttribute(value) : value;
    }
    // The file ends inside of a tag.
    if (at >= text.length) return at;
    isClosed = text[at - 1] === '/';
    at += 1;
    attribs = read;
  }
  const isEmpty = builder.open(rules, attribs, isClosed);
  return rules.isRaw && !isEmpty ? takeRaw(text, at, rules, builder) : at;
}

/** Adds everything up to the end tag of an element in which tags are text. Returns where the end tag begins. */
function takeRaw(text: string, from: number, rules: ElementRules, builder: TreeBuilder): number {
  const { name } = rules;
  const end = builder.endsOfRaw(name);
  if (end === undefined) return from;
  end.lastIndex = from;
  const begin = end.exec(text)?.index;
  if (begin === undefined) {
    builder.forgetRaw(name);
    // Nothing of a script or a style is shown; other elements without an end are empty.
    return name === 'script' || name === 'style' ? text.length : from;
  }
  if (name !== 'script' && name !== 'style') builder.addText(decoded(text.slice(from, begin)));
  return begin;
}

/** Comments, declarations and instructions; a bracket before anything else is a text. */
function passDeclaration(text: string, begin: number, builder: TreeBuilder): number {
  const next = text[begin + 1];
  if (next === '!' && text.startsWith('--', begin + 2)) {
    if (text.startsWith('>', begin + 4)) return begin + 5;
    if (text.startsWith('->', begin + 4)) return begin + 6;
    return after(text, '-->', begin + 4);
  }
  if (next === '!' && builder.isForeign && text.startsWith('[CDATA[', begin + 2)) {
    const end = text.indexOf(']]>', begin);
    builder.addText(text.slice(begin + 9, end < 0 ? text.length : end));
    return end < 0 ? text.length : end + 3;
  }
  if (next === '!' || next === '?' || next === '/') return after(text, '>', begin + 2);
  builder.addText('<');
  return begin + 1;
}

/** The place behind the next `mark`, or the end. */
function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}

/** An element that is open, and its node. */
interface OpenElement {
  rules: ElementRules;
  node: HtmlNode;
  children: HtmlNode[];
}

/** Puts elements and texts into a tree, and ends elements where browsers do. */
class TreeBuilder {
  readonly #maxDepth: number;
  readonly #isXhtml: boolean;
  readonly #root: HtmlNode[] = [];
  readonly #landmarks: HtmlNode[] = [];
  readonly #open: OpenElement[] = [];
  /** Patterns for end tags; undefined if the rest of the text has none. */
  readonly #rawEnds = new Map<string, RegExp | undefined>();
  /** Begins of elements that were too deep, by name, whose ends are left out, too. */
  readonly #tooDeep = new Map<string, number>();
  #children = this.#root;
  #last: HtmlNode | undefined;
  #isInHead = false;
  #foreign = 0;
  #isCut = false;

  constructor(maxDepth: number, isXhtml: boolean) {
    this.#maxDepth = maxDepth;
    this.#isXhtml = isXhtml;
  }

  /** True inside of drawings and formulas, which have the rules of XML. */
  get isForeign(): boolean {
    return this.#foreign > 0;
  }

  finish(): HtmlTree {
    return { root: { children: this.#root }, landmarks: this.#landmarks, isCut: this.#isCut };
  }

  addText(data: string): void {
    if (this.#isInHead && this.#open.at(-1)?.rules.name === 'head') {
      if (data.trim() === '') return;
      this.#end(this.#open.length - 1);
    }
    if (this.#last !== undefined) this.#last.data += data;
    else {
      this.#last = { data };
      this.#children.push(this.#last);
    }
  }

  /** Returns true if the element has no content. */
  open(rules: ElementRules, attribs: HtmlNode['attribs'], isClosed: boolean): boolean {
    const { name, kind, ends } = rules;
    if (this.#isInHead && !rules.isOfHead) this.#endHead(name === 'body');
    if (name === 'html' || name === 'body') return this.#beginBody(rules);
    if (ends !== undefined) this.#endImplied(rules, ends);
    const children: HtmlNode[] = [];
    const node: HtmlNode = { name, kind, attribs: attribs ?? {}, children };
    if (name === 'title' || name === 'meta') this.#landmarks.push(node);
    const isEmpty = rules.isVoid || (isClosed && (this.#isXhtml || this.isForeign));
    if (!isEmpty && this.#open.length >= this.#maxDepth) return this.#openTooDeep(rules);
    if (kind === 'table') this.#noteTable();
    this.#children.push(node);
    this.#last = undefined;
    if (isEmpty) return true;
    if (name === 'svg' || name === 'math') this.#foreign += 1;
    if (name === 'head') this.#isInHead = true;
    this.#open.push({ rules, node, children });
    this.#children = children;
    return false;
  }

  close(rules: ElementRules): void {
    const { name, closes } = rules;
    if (name === 'br') this.open(rules, noAttributes, true);
    const removed = this.#tooDeep.get(name) ?? 0;
    if (removed > 0) {
      this.#tooDeep.set(name, removed - 1);
      this.addText(' ');
      return;
    }
    for (let index = this.#open.length - 1; index >= 0; index -= 1) {
      const open = this.#open[index]?.rules;
      if (open === undefined || isEndBoundary(rules, open)) return;
      if (closes.has(open.name)) {
        this.#end(index);
        return;
      }
    }
  }

  /** The pattern for the end tag of an element in which tags are text; undefined if none is left. */
  endsOfRaw(name: string): RegExp | undefined {
    if (this.isForeign) return undefined;
    if (!this.#rawEnds.has(name)) this.#rawEnds.set(name, new RegExp(`</${name}(?=[\\s/>])`, 'gi'));
    return this.#rawEnds.get(name);
  }

  /** Notes that no end tag of this name is left, so that the text is not searched for it again. */
  forgetRaw(name: string): void {
    this.#rawEnds.set(name, undefined);
    this.close(elementRules(name));
  }

  /** An element that may stand anywhere, and whose end means nothing. Text before it is no part of the text behind it. */
  #beginBody({ name, kind }: ElementRules): true {
    if (name === 'body') this.#children.push({ name, kind, attribs: {}, children: [] });
    this.#last = undefined;
    return true;
  }

  #noteTable(): void {
    for (const { rules, node } of this.#open) if (rules.kind === 'table') node.hasTable = true;
  }

  #endImplied({ endsWithin }: ElementRules, ends: ReadonlySet<string>): void {
    for (let index = this.#open.length - 1; index >= 0; index -= 1) {
      const open = this.#open[index]?.rules;
      if (open === undefined) return;
      if (ends.has(open.name)) this.#end(index);
      else if (endsWithin === undefined ? open.isSpecial : endsWithin.has(open.name)) return;
    }
  }

  /** The head ends before the first element of the body, even if neither is written. */
  #endHead(isBody: boolean): void {
    const index = this.#open.findLastIndex(({ rules }) => rules.name === 'head');
    if (isBody || index === this.#open.length - 1) this.#end(index);
  }

  /** Ends the open elements from a depth on. */
  #end(depth: number): void {
    if (depth < 0) return;
    for (let index = this.#open.length - 1; index >= depth; index -= 1) {
      const name = this.#open.pop()?.rules.name;
      if (name === 'svg' || name === 'math') this.#foreign -= 1;
      else if (name === 'head') this.#isInHead = false;
    }
    this.#children = this.#open.at(-1)?.children ?? this.#root;
    this.#last = undefined;
  }

  #openTooDeep({ name, isRaw }: ElementRules): boolean {
    this.#isCut = true;
    if (isRaw) return false;
    this.#tooDeep.set(name, (this.#tooDeep.get(name) ?? 0) + 1);
    this.addText(' ');
    return true;
  }
}
