export type Severity = 'ok' | 'warning' | 'problem';

/** One result of the doctor. `code` never changes; docs/reference/doctor.md has a heading for each. */
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
