/** A line of a comparison: ` ` is in both texts, `-` only in the first, `+` only in the second. */
export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Compares two texts line by line, with as few changes as possible. Takes time and memory of n × m lines. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i++] ?? '' });
      j++;
    } else if (j >= b.length || (i < a.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ sign: '-', text: a[i++] ?? '' });
    } else {
      lines.push({ sign: '+', text: b[j++] ?? '' });
    }
  }
  return lines;
}

/** `lengths[i][j]` is the length of the longest common subsequence of `a` from `i` and `b` from `j`. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row = [], next = []] = [lengths[i], lengths[i + 1]];
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}
