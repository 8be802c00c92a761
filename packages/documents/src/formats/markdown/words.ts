/**
 * Notation inside a line, as far as a letter decides on it: escapes, emphasis, links, tags, entities and addresses. Signs
 * that stand for themselves are not in it, as in `snake_case`, `A & B` and `@name`.
 */
const notation = /[\\*~[]|(?<![a-z0-9])_|_(?![a-z0-9])|<[a-z/!?]|&[#a-z0-9]|[\w.+-]@|:\/\/|www\./i;

/** The words of a line without emphasis, links and tags. Undefined if it may have any, so that it has to be parsed. */
export function plainWords(line: string): string | undefined {
  if (!line.includes('`')) return notation.test(line) ? undefined : line;
  const parts = line.split('`');
  const isPlain = parts.every((part, index) =>
    index % 2 === 0 ? !notation.test(part) : part !== '' && !part.startsWith(' ') && !part.endsWith(' '),
  );
  // Listings in a line stand between two marks each; longer marks leave an empty part between them.
  const isPaired = parts.length % 2 === 1 && parts.every((part, index) => part !== '' || isEdge(index, parts.length));
  return isPlain && isPaired ? parts.join('') : undefined;
}

function isEdge(index: number, length: number): boolean {
  return index === 0 || index === length - 1;
}
