/** A text with parts of it rewritten, and where each part of it came from. */
export interface Rewritten {
  text: string;
  /** The range of the original text that a range of `text` stands for. */
  source(start: number, end: number): [start: number, end: number];
}

/** The text with every match of a pattern replaced. */
export function rewrite(text: string, pattern: RegExp, replace: (match: RegExpExecArray) => string): Rewritten {
  const pieces: Pieces = { starts: [], origins: [], widths: [] };
  let output = '';
  let next = 0;
  const add = (piece: string, origin: number, width: number) => {
    if (piece === '') return;
    pieces.starts.push(output.length);
    pieces.origins.push(origin);
    pieces.widths.push(width);
    output += piece;
  };
  for (const match of text.matchAll(pattern)) {
    add(text.slice(next, match.index), next, 0);
    next = match.index + match[0].length;
    add(replace(match), match.index, match[0].length);
  }
  add(text.slice(next), next, 0);
  return {
    text: output,
    source(from, to) {
      const first = pieceAt(pieces, from);
      const last = pieceAt(pieces, to - 1);
      return [
        first.origin + (first.width === 0 ? from - first.start : 0),
        last.origin + (last.width === 0 ? to - last.start : last.width),
      ];
    },
  };
}

/** The pieces of a rewritten text. Lists of numbers, because an object for each character takes ten times the memory. */
interface Pieces {
  /** Where each starts in the rewritten text. */
  starts: number[];
  /** Where it starts in the original. */
  origins: number[];
  /** Characters of the original; 0 when the piece was copied as it is. */
  widths: number[];
}

/** The piece that has the character at `position`. */
function pieceAt({ starts, origins, widths }: Pieces, position: number) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return { start: starts[low] ?? 0, origin: origins[low] ?? 0, width: widths[low] ?? 0 };
}
