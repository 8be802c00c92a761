/** Elements inside of more others than this lose their tags, never their text. */
export const MAX_HTML_DEPTH = 250;

const tag = /<(\/?)([a-z][a-z0-9-]*)[^<>]*>/gi;
const withoutEnd = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that end those directly around them, whose end is often not written. */
const ends: Record<string, ReadonlySet<string>> = Object.fromEntries(
  Object.entries({
    p: 'p',
    li: 'li p',
    dd: 'dd dt p',
    dt: 'dd dt p',
    td: 'thead th td p',
    th: 'th td p',
    tr: 'tr th td p',
    tbody: 'thead tbody tr th td p',
    tfoot: 'thead tbody tr th td p',
    option: 'option',
    optgroup: 'optgroup option',
  }).map(([name, closed]) => [name, new Set(closed.split(' '))]),
);

/**
 * Replaces the tags below the deepest level by as many spaces, so that offsets stay. The parser and what walks its tree
 * take time and stack by depth.
 */
export function limitDepth(text: string): { text: string; isCut: boolean } {
  const open: string[] = [];
  const removed = new Map<string, number>();
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, 1: slash, 2: written = '', index } of text.matchAll(tag)) {
    const name = written.toLowerCase();
    if (withoutEnd.has(name)) continue;
    const earlier = removed.get(name) ?? 0;
    const closes = slash === '/';
    if (!closes) while (ends[name]?.has(open.at(-1) ?? '')) open.pop();
    if (closes ? earlier > 0 : open.length >= MAX_HTML_DEPTH) {
      parts.push(text.slice(from, index), ' '.repeat(found.length));
      from = index + found.length;
      removed.set(name, earlier + (closes ? -1 : 1));
    } else if (!closes) open.push(name);
    else if (open.includes(name)) open.length = open.lastIndexOf(name);
  }
  if (from === 0) return { text, isCut: false };
  return { text: parts.join('') + text.slice(from), isCut: true };
}
