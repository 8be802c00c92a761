/** What a check may come to: all is well, worth knowing, or broken. */
export type Severity = 'ok' | 'warning' | 'problem';

/** One result of the doctor. `code` never changes; docs/doctor.md has a heading for each. */
export interface Finding {
  code: string;
  severity: Severity;
  /** What was found, in one line. */
  text: string;
  /** What to do about it. */
  remedy?: string;
  /** More lines, such as the last ones of a process that failed. */
  details?: string[];
}

/** All is well. */
export function ok(code: string, text: string): Finding {
  return { code, severity: 'ok', text };
}

/** It works, but somebody should know. */
export function warning(code: string, text: string, remedy: string): Finding {
  return { code, severity: 'warning', text, remedy };
}

/** It does not work. */
export function problem(code: string, text: string, remedy: string, details: string[] = []): Finding {
  return { code, severity: 'problem', text, remedy, ...(details.length > 0 ? { details } : {}) };
}
