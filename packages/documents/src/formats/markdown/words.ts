/**
 * Notation inside a line, as far as a letter decides on it: escapes, emphasis, links, tags, entities and addresses. Signs
 * that stand for themselves are not in it, as in `snake_case`, `A & B` and `@name`.
 */
const notation = /[\\*~[]|(?<![a-z0-9])_|_(?![a-z0-9])|<[a-z/!?]|&[#a-z0-9]|[\w.+-]@|:\/\/|www\./i;
/** A link or a picture, with what stands before it. */
const link = /([^[\]]*?)(!?)\[([^[\]^][^[\]]*)\]\(([^\s()<>\\&`]+)\)/y;
const insideBold = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u;

/**
 * The words of a line, with the addresses of links and pictures. Undefined if it may have other notation than bold words,
 * listings, links and pictures, each in its simplest form, so that it has to be parsed.
 */
export function plainWords(line: string): string | undefined {
  if (!line.includes('**')) return linkedWords(line);
  return wordsOf(line.split('**'), (part, isInside) =>
    isInside && !insideBold.test(part) ? undefined : linkedWords(part),
  );
}

function linkedWords(text: string): string | undefined {
  if (!text.includes('](')) return codeWords(text);
  let words = '';
  let end = 0;
  link.lastIndex = 0;
  for (let match = link.exec(text); match !== null; match = link.exec(text)) {
    const [whole, before = '', picture = '', label = '', address = ''] = match;
    const [outside, inside] = [codeWords(before), codeWords(label)];
    if (outside === undefined || inside === undefined || inside === address || /^data:/i.test(address))
      return undefined;
    words += `${outside}${picture}[${inside}](${address})`;
    end += whole.length;
  }
  const rest = codeWords(text.slice(end));
  return rest === undefined ? undefined : words + rest;
}

/** Listings in a line stand between two marks each. */
function codeWords(text: string): string | undefined {
  if (!text.includes('`')) return notation.test(text) ? undefined : text;
  return wordsOf(text.split('`'), (part, isInside) => {
    const isPlain = isInside ? part !== '' && !part.startsWith(' ') && !part.endsWith(' ') : !notation.test(part);
    return isPlain ? part : undefined;
  });
}

/** Joins the words of parts that stand outside and inside of marks by turns. */
function wordsOf(
  parts: readonly string[],
  read: (part: string, isInside: boolean) => string | undefined,
): string | undefined {
  if (parts.length % 2 === 0) return undefined;
  let words = '';
  for (const [index, part] of parts.entries()) {
    // Marks of another length leave nothing between them.
    if (part === '' && index > 0 && index < parts.length - 1) return undefined;
    const own = read(part, index % 2 === 1);
    if (own === undefined) return undefined;
    words += own;
  }
  return words;
}
