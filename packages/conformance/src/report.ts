import type { Result } from './play.ts';

/** Where the rules are explained. */
const DOCS = 'docs/protocol';

/** One line for a rule, and those that explain why it failed. */
export function formatResult({ rule, text, source, outcome, expected, seen, reason }: Result): string {
  const head = `${outcome.padEnd(5)} ${rule}`;
  if (outcome === 'pass') return head;
  if (outcome === 'n/a') return `${head}: ${reason}`;
  return [head, `      ${text}`, `      expected ${expected}`, `      saw ${seen}`, `      ${DOCS}/${source}`].join(
    '\n',
  );
}

/** How many rules ended how. */
export function formatSummary(results: readonly Result[]): string {
  const of = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${results.length} rules: ${of('pass')} pass, ${of('fail')} fail, ${of('n/a')} not applicable`;
}
