import { type Fib, Place, positions, type TextName } from './fib.ts';

/** A note or comment: where it is referred to, and where its text is. */
export interface Note {
  reference: number;
  from: number;
  to: number;
  /** As in `[^1]`; empty for comments. */
  mark: string;
  author?: string;
}

const COMMENT_BYTES = 30;
const NOTE_BYTES = 2;

/** The footnotes, endnotes and comments of a file, in the order of their references. */
export function readNotes(fib: Fib): Note[] {
  const authors = readAuthors(fib.at(Place.commentAuthors));
  const comments = fib.at(Place.commentReferences);
  const references = positions(comments, COMMENT_BYTES);
  const notes: Note[] = [
    ...notesOf(fib, { references: Place.footnoteReferences, texts: Place.footnotes, text: 'footnotes', prefix: '' }),
    ...notesOf(fib, { references: Place.endnoteReferences, texts: Place.endnotes, text: 'endnotes', prefix: 'e' }),
    ...places(fib, references, { texts: Place.comments, text: 'comments' }).map((note, index) => {
      const at = references.length * 4 + index * COMMENT_BYTES + 20;
      const author = at + 2 <= comments.length ? authors[comments.readUInt16LE(at)] : undefined;
      return { ...note, mark: '', ...(author && { author }) };
    }),
  ];
  return notes.toSorted((a, b) => a.reference - b.reference);
}

function notesOf(
  fib: Fib,
  { references, texts, text, prefix }: { references: number; texts: number; text: TextName; prefix: string },
): Note[] {
  const found = places(fib, positions(fib.at(references), NOTE_BYTES), { texts, text });
  return found.map((note, index) => ({ ...note, mark: `[^${prefix}${index + 1}]` }));
}

/** References and texts, both in the same order. */
function places(
  fib: Fib,
  references: readonly number[],
  { texts, text }: { texts: number; text: TextName },
): Omit<Note, 'mark'>[] {
  const [begin, end] = fib.range(text);
  const borders = positions(fib.at(texts), 0);
  const stretches = increasing(borders, end - begin);
  return references.slice(0, -1).flatMap((reference, index) => {
    const { from, to } = stretches[index] ?? { from: 0, to: 0 };
    return from < to ? [{ reference, from: begin + from, to: begin + to }] : [];
  });
}

/** The stretches between borders. One that begins before the end of an earlier one is empty, so that none is read twice. */
export function increasing(borders: readonly number[], end: number): { from: number; to: number }[] {
  let last = 0;
  return borders.slice(0, -1).map((from, index) => {
    const to = Math.min(borders[index + 1] ?? 0, end);
    if (from < last || to <= from) return { from: 0, to: 0 };
    last = to;
    return { from, to };
  });
}

/** Names, each behind its length. */
function readAuthors(bytes: Buffer): string[] {
  const authors: string[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at);
    authors.push(bytes.toString('utf16le', at + 2, at + 2 + length * 2));
    at += 2 + length * 2;
  }
  return authors;
}
