import type { World } from '../command.ts';
import { briefLine } from '../output/table.ts';

/** Characters of a line. Parts of it come from Servers, MCP servers and configuration files. */
const MAX_TEXT_LENGTH = 1000;

export type Severity = 'ok' | 'warning' | 'problem';

/** One result of a check. `code` never changes; docs/reference has a heading for each. */
export interface Finding {
  code: string;
  severity: Severity;
  /** One line. */
  text: string;
  remedy?: string;
  /** More lines, such as the last ones of a process that failed. */
  details?: string[];
}

export function ok(code: string, text: string): Finding {
  return { code, severity: 'ok', text };
}

/** It works, with a drawback. */
export function warning(code: string, text: string, remedy: string): Finding {
  return { code, severity: 'warning', text, remedy };
}

/** It does not work. */
export function problem(code: string, text: string, remedy: string, details: string[] = []): Finding {
  return { code, severity: 'problem', text, remedy, ...(details.length > 0 ? { details } : {}) };
}

/** Prints a finding as some lines. */
export function showFinding(
  { code, severity, text, remedy, details = [] }: Finding,
  { print, style }: Pick<World, 'print' | 'style'>,
): void {
  const mark = { ok: style.green('ok      '), warning: style.yellow('warning '), problem: style.red('problem ') }[
    severity
  ];
  print(`${mark}${briefLine(text, MAX_TEXT_LENGTH)} ${style.dim(`[${code}]`)}`);
  for (const line of details) print(style.dim(`          ${briefLine(line, MAX_TEXT_LENGTH)}`));
  if (remedy !== undefined) print(`        → ${briefLine(remedy, MAX_TEXT_LENGTH)}`);
}
