import { isMet, isReliable, type Result, type Section } from './result.ts';

const HEAD = ['', 'baseline', 'ours', 'ratio (quartiles)', 'A/A', 'target'];

/** The cells of a section, its head first. */
export function cells({ results }: Section): string[][] {
  return [HEAD, ...results.map(row)];
}

function row(result: Result): string[] {
  const { name, baseline = '', ours, ratio, control } = result;
  const spread = ratio ? `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})` : '';
  return [name, baseline, ours, spread, control?.toFixed(2) ?? '', verdict(result)];
}

function verdict(result: Result): string {
  const { target } = result;
  if (!isReliable(result)) return 'rejected: two equal stacks differ too much';
  const met = isMet(result);
  if (!target || met === undefined) return '';
  const { kind, value, unit } = target;
  return `${kind} ${unit ? `${value} ${unit}` : value}: ${met ? 'met' : 'missed'}`;
}

/** For a terminal. */
export function printed(section: Section): string {
  const table = cells(section);
  const widths = HEAD.map((_, column) => Math.max(...table.map(line => line[column]?.length ?? 0)));
  const lines = table.map(line =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`\n${section.title}`, ...(section.skipped ? [`skipped: ${section.skipped}`] : lines), ''].join('\n');
}
