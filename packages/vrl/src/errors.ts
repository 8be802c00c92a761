/** One problem of a program. */
export interface VrlDiagnostic {
  /** The compiler's number for this kind of problem; `https://errors.vrl.dev/<code>` explains most of them. */
  code: number;
  message: string;
  /** Remarks about places in the source, the most important one first. */
  labels: VrlLabel[];
  /** Advice that belongs to no place. */
  notes: string[];
}

export interface VrlLabel {
  message: string;
  /** Counted from 1. */
  line: number;
  /** In characters, counted from 1. */
  column: number;
  primary: boolean;
}

/** The error report of the engine. */
export interface Report {
  reason: 'syntax' | 'usage' | 'error' | 'abort';
  diagnostics: VrlDiagnostic[];
  text: string;
}

/** The source is not a valid program, or compiling it exceeded a limit; in that case there are no diagnostics. */
export class VrlCompileError extends Error {
  override readonly name = 'VrlCompileError';
  /** The place of the first problem. */
  readonly line?: number;
  readonly column?: number;
  /** The remarks and advice of the compiler about the first problem, one per line. */
  readonly hint?: string;
  /** Every problem of the source. */
  readonly diagnostics: readonly VrlDiagnostic[];
  /** All diagnostics as the compiler prints them, with excerpts of the source. */
  readonly text: string;

  constructor(message: string, { diagnostics = [], text = message }: Partial<Report> = {}, options?: ErrorOptions) {
    super(message, options);
    this.diagnostics = diagnostics;
    this.text = text;
    const [first] = diagnostics;
    if (!first) return;
    const hints = [...first.labels.map(label => label.message), ...first.notes];
    if (hints.length > 0) this.hint = hints.join('\n');
    const place = placeOf(first);
    if (!place) return;
    this.line = place.line;
    this.column = place.column;
  }

  static of(report: Report): VrlCompileError {
    return new VrlCompileError(describe(report), report);
  }
}

/** The reason of a run without a result. The program causes `error` and `abort`, the sandbox causes the others. */
export type VrlFailure = 'error' | 'abort' | 'timeout' | 'memory' | 'crash';

/** A run ended without a result. The event is unchanged, and the program can run again. */
export class VrlRuntimeError extends Error {
  override readonly name = 'VrlRuntimeError';
  readonly reason: VrlFailure;

  constructor(message: string, reason: VrlFailure, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  static of(report: Report): VrlRuntimeError {
    return new VrlRuntimeError(describe(report), report.reason === 'abort' ? 'abort' : 'error');
  }
}

function describe({ diagnostics: [first] }: Report): string {
  if (!first) return 'The engine gave no reason';
  const place = placeOf(first);
  return place ? `${first.message} (line ${place.line}, column ${place.column})` : first.message;
}

function placeOf({ labels }: VrlDiagnostic): VrlLabel | undefined {
  return labels.find(({ primary }) => primary) ?? labels[0];
}
