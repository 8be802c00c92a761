/** The candidate that a misspelled word most likely means: the one with the fewest edits, up to a third of its letters. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    // Lengths differ by at most the number of edits. Skips the costly comparison with long names that peers choose.
    .filter(candidate => Math.abs(candidate.length - word.length) <= maxEdits(candidate))
    .map(candidate => ({ candidate, edits: editDistance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .toSorted((a, b) => a.edits - b.edits);
  return best?.candidate;
}

/** Rounded up: swapping two letters takes two edits, also in a word of four. */
function maxEdits(candidate: string): number {
  return Math.ceil(candidate.length / 3);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
