import { formatNumber, type ListItem } from '@a2c-smcp/publish/content';
import type { HtmlNode } from './tree.ts';
import { words } from './words.ts';

/** The items of a list, with those of lists inside. */
export function listItems(node: HtmlNode, level = 0, found: ListItem[] = []): ListItem[] {
  const marks = node.name === 'ol' ? new Marks(node) : undefined;
  for (const child of node.children ?? []) {
    if (child.kind === 'list') listItems(child, level + 1, found);
    else if (child.name === 'li') {
      const mark = marks === undefined ? '-' : marks.next(child);
      const inner = child.children?.filter(isList) ?? [];
      const text = words(
        inner.length === 0 ? child : { children: child.children?.filter(part => !isList(part)) ?? [] },
      );
      found.push({ text, level, mark });
      for (const list of inner) listItems(list, level + 1, found);
    } else addStray(child, level, found);
  }
  return found;
}

/** Browsers show anything inside of a list. */
function addStray(node: HtmlNode, level: number, found: ListItem[]): void {
  if (node.kind === 'invisible') return;
  const text = words({ children: [node] });
  if (text !== '') found.push({ text, level, mark: '-' });
}

function isList({ kind }: HtmlNode): boolean {
  return kind === 'list';
}

const countings: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' };

/** The numbers of an ordered list as a browser shows them. */
class Marks {
  readonly #counting: string;
  readonly #step: number;
  #number: number;

  constructor({ attribs = {}, children = [] }: HtmlNode) {
    const isReversed = attribs.reversed !== undefined;
    const count = children.filter(child => child.name === 'li').length;
    this.#counting = countings[attribs.type ?? ''] ?? 'decimal';
    this.#step = isReversed ? -1 : 1;
    this.#number = integer(attribs.start) ?? (isReversed ? count : 1);
  }

  next({ attribs = {} }: HtmlNode): string {
    const number = integer(attribs.value) ?? this.#number;
    this.#number = number + this.#step;
    return `${formatNumber(number, this.#counting)}.`;
  }
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,9}/.test(text) ? Number.parseInt(text, 10) : undefined;
}
