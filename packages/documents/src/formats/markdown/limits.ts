/** The parser takes time by the square of the length of a paragraph and of a text, and by the depth of quotes and lists. */
const MAX_PARAGRAPH_CHARACTERS = 32 * 1024;
const MAX_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 100;

const marks = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t]))*/;
/** Rows of a table and the targets of links are lines of their own. */
const single = /^\s*(?:\||\[[^\]]+\]:)/;
const fence = /^ {0,3}(?:`{3}|~{3})/;

/** The reason why a text exceeds the limits of the parser, if it does. */
export function excessOf(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return `it is longer than ${MAX_CHARACTERS} characters`;
  let paragraph = 0;
  let isListing = false;
  for (const line of text.split('\n')) {
    if (fence.test(line)) isListing = !isListing;
    const [begin] = marks.exec(line) ?? [''];
    const isItem = begin !== '' && !begin.endsWith('>');
    const isSeparate = isListing || isItem || line.trim() === '' || single.test(line);
    paragraph = isSeparate ? line.length : paragraph + line.length;
    if (isListing) continue;
    if (begin.length > MAX_DEPTH && depthOf(begin) > MAX_DEPTH) return `it nests more than ${MAX_DEPTH} levels deep`;
    if (paragraph > MAX_PARAGRAPH_CHARACTERS)
      return `a paragraph is longer than ${MAX_PARAGRAPH_CHARACTERS} characters`;
  }
  return undefined;
}

/** Two spaces, or one tab, are a level as well as a mark is. */
function depthOf(begin: string): number {
  return begin.match(/[>*+.)-]| {2}|\t/g)?.length ?? 0;
}
