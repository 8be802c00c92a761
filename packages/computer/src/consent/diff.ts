const MAX_LINES = 400;
const MAX_SHOWN = 60;
const MAX_LINE_LENGTH = 500;

/** The lines that differ, with `-` for former ones and `+` for new ones, in order. Long differences are cut. */
export function linesChanged(before: string, after: string): string[] {
  const [old, now] = [before, after].map(text => text.split('\n').slice(0, MAX_LINES)) as [string[], string[]];
  const common = commonLengths(old, now);
  const changes: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(common, i + 1, j) >= at(common, i, j + 1))) {
      changes.push(`- ${old[i++]?.slice(0, MAX_LINE_LENGTH)}`);
    } else {
      changes.push(`+ ${now[j++]?.slice(0, MAX_LINE_LENGTH)}`);
    }
  }
  if (changes.length <= MAX_SHOWN) return changes;
  return [...changes.slice(0, MAX_SHOWN), `… ${changes.length - MAX_SHOWN} more lines differ`];
}

/** The length of the longest common subsequence of the rest from each pair of lines on. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths: number[][] = Array.from({ length: old.length + 1 }, () => Array(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[];
      row[j] =
        old[i] === now[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly number[][], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
