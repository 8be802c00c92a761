import type { Outcome } from './check.ts';

const MARKS = { passed: 'yes', failed: 'no', skipped: 'not run' } as const;

/** One line for each check. */
export function formatLine({ client, check, state, detail }: Outcome): string {
  return `${state.padEnd(7)} ${client}: ${check} (${oneLine(detail)})`;
}

export interface Heading {
  title: string;
  /** Lines below the title. */
  intro: readonly string[];
}

/** A page of `docs/reports`. */
export function formatReport(outcomes: readonly Outcome[], { title, intro }: Heading): string {
  const clients = [...new Set(outcomes.map(({ client }) => client))];
  const sections = clients.flatMap(client => {
    const own = outcomes.filter(outcome => outcome.client === client);
    const rows = own.map(({ check, state, detail }) => [check, MARKS[state], oneLine(detail)]);
    return [`## ${client}`, '', ...table(['Check', 'Works', 'Detail'], rows), ''];
  });
  return [`# ${title}`, '', ...intro, '', ...sections].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '/').trim().slice(0, 300);
}
