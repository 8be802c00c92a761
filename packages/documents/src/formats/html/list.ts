import type { ListItem } from '@a2c-smcp/publish/content';
import { Marks } from './marks.ts';
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
