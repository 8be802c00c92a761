import { posix } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { UnreadableError } from '../../file.ts';
import { meantFacts } from '../facts.ts';
import type { DocumentFacts } from '../reader.ts';
import type { Package } from './package.ts';

/** A part that is held as a tree may not be larger than this. */
const MAX_TREE_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 200;

/** An XML element. Its name is without prefix, its attributes are as written. */
export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  children: (XmlNode | string)[];
}

/** A whole part as a tree. */
export async function readXml(parts: Package, part: string): Promise<XmlNode> {
  if (parts.size(part) > MAX_TREE_BYTES) throw new UnreadableError(`The file's part '${part}' is too large to read`);
  return parseXml(decode(await parts.read(part)), part);
}

/** XML is in UTF-8 or, with a mark that says so, in UTF-16. */
function decode(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** A whole part as a tree, or undefined if the file has no such part. */
export async function readOptionalXml(parts: Package, part: string | undefined): Promise<XmlNode | undefined> {
  return part !== undefined && parts.has(part) ? readXml(parts, part) : undefined;
}

/** XML as a tree. `part` names it in the error that is thrown if it is not well-formed. */
export function parseXml(text: string, part: string): XmlNode {
  const builder = new ItemBuilder(() => true);
  try {
    builder.write(text);
    builder.end();
  } catch (cause) {
    throw damaged(cause, part);
  }
  const [root] = builder.items;
  if (root === undefined) throw new UnreadableError(`The file is damaged: its part '${part}' is empty`);
  return root;
}

/**
 * Streams the outermost elements that `isItem` accepts, each as a tree of its own, in portions as the part is inflated;
 * everything around them is dropped, so a part of any size takes little memory. Entities that a document type declares
 * are not known to the parser, and a part that uses one is refused.
 */
export async function* xmlItems(
  zip: Package,
  part: string,
  isItem: (name: string, depth: number) => boolean,
): AsyncGenerator<XmlNode[]> {
  const builder = new ItemBuilder(isItem);
  const decoder = new StringDecoder('utf8');
  try {
    for await (const piece of await zip.pieces(part)) {
      builder.write(decoder.write(piece));
      if (builder.items.length > 0) yield builder.take();
    }
    builder.end();
  } catch (cause) {
    throw damaged(cause, part);
  }
  if (builder.items.length > 0) yield builder.take();
}

function damaged(cause: unknown, part: string): UnreadableError {
  if (cause instanceof UnreadableError) return cause;
  return new UnreadableError(`The file is damaged: its part '${part}' cannot be read`, { cause });
}

class ItemBuilder {
  readonly #parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  readonly #prefixes = new Prefixes();
  readonly #open: XmlNode[] = [];
  #depth = 0;
  items: XmlNode[] = [];

  constructor(isItem: (name: string, depth: number) => boolean) {
    this.#parser.on('error', error => {
      throw error;
    });
    this.#parser.on('opentag', ({ name: qualified, attributes }) => {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw new UnreadableError('The file nests its contents too deeply');
      const name = localName(qualified);
      const renamed = this.#prefixes.rename(attributes, this.#depth);
      if (this.#open.length === 0 && !isItem(name, this.#depth)) return;
      this.#open.push({ name, attributes: renamed, children: [] });
    });
    this.#parser.on('closetag', () => {
      this.#depth -= 1;
      const node = this.#open.pop();
      if (node === undefined) return;
      const parent = this.#open.at(-1);
      if (parent === undefined) this.items.push(node);
      else if (node.name === 'AlternateContent') parent.children.push(...preferred(node));
      else parent.children.push(node);
    });
    const text = (part: string) => this.#open.at(-1)?.children.push(part);
    this.#parser.on('text', text);
    this.#parser.on('cdata', text);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.close();
  }

  take(): XmlNode[] {
    const { items } = this;
    this.items = [];
    return items;
  }
}

/** Of the alternatives for newer and older readers the first is taken: both have the same content. */
function preferred(node: XmlNode): (XmlNode | string)[] {
  return (child(node, 'Choice') ?? child(node, 'Fallback'))?.children ?? [];
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

/** The elements directly inside, of one name if given. */
export function children(node: XmlNode | undefined, name?: string): XmlNode[] {
  const nodes = node?.children.filter(part => typeof part !== 'string') ?? [];
  return name === undefined ? nodes : nodes.filter(part => part.name === name);
}

/** The first element at the end of a path of names. */
export function child(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>((current, name) => children(current, name)[0], node);
}

/** Every element of a name, at any depth, in order. */
export function descendants(node: XmlNode | undefined, name: string): XmlNode[] {
  return children(node).flatMap(part => (part.name === name ? [part] : descendants(part, name)));
}

/** The text inside, at any depth. */
export function textOf(node: XmlNode | undefined): string {
  return node?.children.map(part => (typeof part === 'string' ? part : textOf(part))).join('') ?? '';
}

/** The attribute `val`, which is where Office keeps most values, with or without prefix. */
export function val(node: XmlNode | undefined): string | undefined {
  return node?.attributes.val ?? node?.attributes['w:val'];
}

/** A reference from one part to another, or out of the file. */
export interface Relation {
  id: string;
  /** The last segment of its type, as in `chart` or `hyperlink`. */
  type: string;
  /** The name of the part, or an address when `external`. */
  target: string;
  external: boolean;
}

/** The relations of a part, by id. */
export async function readRelations(parts: Package, part: string): Promise<Map<string, Relation>> {
  const name = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
  const root = await readOptionalXml(parts, name);
  const relations = children(root, 'Relationship').map(({ attributes }): Relation => {
    const { Id = '', Type = '', Target = '', TargetMode } = attributes;
    const external = TargetMode === 'External';
    const target = external ? Target : posix.join('/', posix.dirname(part), unrooted(Target, part)).slice(1);
    return { id: Id, type: Type.split('/').at(-1) ?? '', target, external };
  });
  return new Map(relations.map(relation => [relation.id, relation]));
}

/** A target that begins with a slash counts from the root of the package. */
function unrooted(target: string, part: string): string {
  return target.startsWith('/') ? posix.relative(posix.join('/', posix.dirname(part)), target) : target;
}

/** The main part of a package, as in `word/document.xml`. */
export async function mainPart(parts: Package, fallback: string): Promise<string> {
  const roots = await readRelations(parts, '');
  return [...roots.values()].find(({ type }) => type === 'officeDocument')?.target ?? fallback;
}

/** Title, keywords and description from the properties that Office keeps beside the contents, unless it filled them in. */
export async function readCoreFacts(parts: Package): Promise<DocumentFacts> {
  const root = await readOptionalXml(parts, 'docProps/core.xml');
  const title = textOf(child(root, 'title')).trim();
  const summary = textOf(child(root, 'description')).trim() || textOf(child(root, 'subject')).trim();
  const keywords = textOf(child(root, 'keywords'))
    .split(/[,;]/)
    .map(keyword => keyword.trim());
  return meantFacts({ title, summary, keywords });
}

/** The prefixes that readers expect, by the end of the namespace: the transitional and the strict one have the same. */
const usual: ReadonlyMap<string, string> = new Map([
  ['officeDocument/2006/relationships', 'r'],
  ['officeDocument/relationships', 'r'],
  ['wordprocessingml/2006/main', 'w'],
  ['wordprocessingml/main', 'w'],
  ['1999/xlink', 'xlink'],
  ['xmlns:drawing:1.0', 'draw'],
  ['xmlns:office:1.0', 'office'],
  ['xmlns:presentation:1.0', 'presentation'],
  ['xmlns:style:1.0', 'style'],
  ['xmlns:table:1.0', 'table'],
  ['xmlns:text:1.0', 'text'],
]);

/** Elements nested deeper than this declare no namespaces; looking for them in every cell of a sheet costs time. */
const MAX_DECLARING_DEPTH = 3;
const MAX_PREFIXES = 100;
/** Characters of a namespace that are compared. */
const MAX_ENDING = 60;

/**
 * Gives attributes the prefixes that readers expect. Programs may choose others, as Python's ElementTree does, which calls
 * all namespaces `ns0`, `ns1` and so on.
 */
class Prefixes {
  readonly #usual = new Map<string, string>();

  /** Attributes of an element with the usual prefixes. Elements must come in the order of the file. */
  rename(attributes: Record<string, string>, depth: number): Record<string, string> {
    if (depth <= MAX_DECLARING_DEPTH) this.#declare(attributes);
    if (this.#usual.size === 0) return attributes;
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => {
        const end = name.indexOf(':');
        const prefix = end < 0 ? undefined : this.#usual.get(name.slice(0, end));
        return [prefix === undefined ? name : prefix + name.slice(end), value];
      }),
    );
  }

  #declare(attributes: Record<string, string>): void {
    for (const name in attributes) {
      if (!name.startsWith('xmlns:') || this.#usual.size >= MAX_PREFIXES) continue;
      const own = name.slice('xmlns:'.length);
      const prefix = usual.get(ending(attributes[name] ?? ''));
      if (prefix !== undefined && prefix !== own) this.#usual.set(own, prefix);
    }
  }
}

/** As in `wordprocessingml/2006/main` or `xmlns:text:1.0`. */
function ending(namespace: string): string {
  return /(?:xmlns:[^:]*:[^:]*|(?:\w+\/)?(?:2006\/)?\w+)$/.exec(namespace.slice(-MAX_ENDING))?.[0] ?? '';
}
