import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { UnreadableError } from '../reader.ts';
import type { PackageParts } from './parts.ts';
import type { ZipPackage } from './zip.ts';

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
export async function readXml(parts: PackageParts, part: string): Promise<XmlNode> {
  if (parts.size(part) > MAX_TREE_BYTES) throw new UnreadableError(`The file's part '${part}' is too large to read`);
  return parseXml(new TextDecoder().decode(await parts.read(part)), part);
}

/** A whole part as a tree, or nothing if the file has no such part. */
export async function readOptionalXml(parts: PackageParts, part: string | undefined): Promise<XmlNode | undefined> {
  return part !== undefined && parts.has(part) ? readXml(parts, part) : undefined;
}

/** The tree of a part, or of an element in it. */
export function parseXml(text: string, part: string): XmlNode {
  const builder = new ItemBuilder(() => true);
  reporting(part, () => {
    builder.write(text);
    builder.end();
  });
  const [root] = builder.items;
  if (root === undefined) throw new UnreadableError(`The file is damaged: its part '${part}' is empty`);
  return root;
}

/**
 * Streams the outermost elements that `isItem` accepts, each as a tree of its own, in portions as the part is inflated;
 * what lies around them is dropped, so a part of any size takes little memory. Entities that a document type declares
 * are not known to the parser, and a part that uses one is refused.
 */
export async function* xmlItems(
  zip: ZipPackage,
  part: string,
  isItem: (name: string, depth: number) => boolean,
): AsyncGenerator<XmlNode[]> {
  const builder = new ItemBuilder(isItem);
  const decoder = new StringDecoder('utf8');
  try {
    for await (const chunk of await zip.stream(part)) {
      builder.write(decoder.write(chunk));
      if (builder.items.length > 0) yield builder.take();
    }
    builder.end();
  } catch (cause) {
    throw damaged(cause, part);
  }
  if (builder.items.length > 0) yield builder.take();
}

function reporting(part: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    throw damaged(cause, part);
  }
}

function damaged(cause: unknown, part: string): UnreadableError {
  if (cause instanceof UnreadableError) return cause;
  return new UnreadableError(`The file is damaged: its part '${part}' cannot be read`, { cause });
}

class ItemBuilder {
  readonly #parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
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
      if (this.#open.length === 0 && !isItem(name, this.#depth)) return;
      this.#open.push({ name, attributes, children: [] });
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

/** Of the alternatives for newer and older readers the first is taken: both say the same. */
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
