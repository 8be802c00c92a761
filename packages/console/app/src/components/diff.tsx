import type { DiffLine } from '@a2c-smcp/core';

/** Unchanged lines around each change. */
const CONTEXT = 3;

/** Changed lines with a few of those around them. */
export function Diff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const changed = lines.map(({ sign }) => sign !== ' ');
  const isNear = (index: number) => changed.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(Boolean);
  const rows: { key: number; sign: string; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) rows.push({ key: index, ...line });
    else if (rows.at(-1)?.sign !== '…') rows.push({ key: index, sign: '…', text: '' });
  }
  return (
    <div aria-label={label} class="code diff" role="group" tabIndex={0}>
      {rows.map(({ key, sign, text }) => (
        <div class={DIFF_CLASSES[sign]} key={key}>
          <span class="diff-sign">{sign}</span>
          {text}
        </div>
      ))}
    </div>
  );
}

const DIFF_CLASSES: Record<string, string> = { '+': 'diff-added', '-': 'diff-removed' };
