import { diffLines } from '@a2c-smcp/core';

const MAX_LINES = 400;
const MAX_SHOWN_LINES = 60;
const MAX_LINE_LENGTH = 500;

/** The lines that differ, with `-` for former ones and `+` for new ones, in order. Long differences are cut. */
export function linesChanged(before: string, after: string): string[] {
  const [old, now] = [before, after].map(text => text.split('\n').slice(0, MAX_LINES).join('\n')) as [string, string];
  const changes = diffLines(old, now)
    .filter(({ sign }) => sign !== ' ')
    .map(({ sign, text }) => `${sign} ${text.slice(0, MAX_LINE_LENGTH)}`);
  if (changes.length <= MAX_SHOWN_LINES) return changes;
  return [...changes.slice(0, MAX_SHOWN_LINES), `… ${changes.length - MAX_SHOWN_LINES} more lines differ`];
}
