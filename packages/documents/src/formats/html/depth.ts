/** Elements inside of more others than this lose their tags, never their text. */
export const MAX_HTML_DEPTH = 250;

const tag = /<!--|-->|<(\/?)([a-z][a-z0-9-]*)[^<>]*>/gi;
/** Elements in which a tag is text. */
const verbatim = new Set(['script', 'style', 'title', 'textarea']);
const withoutEnd = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that end those directly around them, whose end is often not written, by the rules of htmlparser2. */
const ends = new Map<string, ReadonlySet<string>>(
  [
    ['tr', 'tr th td'],
    ['th', 'th'],
    ['td', 'thead th td'],
    ['tbody tfoot', 'thead tbody'],
    ['li', 'li'],
    ['dd dt', 'dd dt'],
    ['a', 'a'],
    ['option', 'option'],
    ['optgroup', 'optgroup option'],
    ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
    ['p div ul ol dl table section article aside main nav header footer form pre blockquote figure details', 'p'],
  ].flatMap(([names = '', ended = '']) => names.split(' ').map(name => [name, new Set(ended.split(' '))] as const)),
);

/**
 * Replaces the tags below the deepest level by as many spaces. The parser and the code that walks its tree take time
 * and stack by depth.
 */
export function limitDepth(text: string): { text: string; isCut: boolean } {
  const open: string[] = [];
  const removed = new Map<string, number>();
  const parts: string[] = [];
  let from = 0;
  /** The tag or mark that ends a comment or an element in which tags are text. */
  let until: string | undefined;
  tag.lastIndex = 0;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    const { 0: found, 1: slash, 2: written = '', index } = match;
    const name = written.toLowerCase();
    if (until !== undefined) {
      if (`${slash ?? ''}${name || found}` === until) until = undefined;
      continue;
    }
    if (found === '<!--') until = '-->';
    else if (verbatim.has(name) && slash === '') until = `/${name}`;
    if (name === '' || verbatim.has(name) || withoutEnd.has(name)) continue;
    const earlier = removed.get(name) ?? 0;
    const closes = slash === '/';
    if (!closes) while (ends.get(name)?.has(open.at(-1) ?? '')) open.pop();
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
