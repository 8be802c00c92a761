export interface QuestionOptions {
  /** Lines above the question. */
  preface?: readonly string[];
  /** Does not echo the answer. */
  hidden?: boolean;
  /**
   * Drops keys until none was pressed for half a second, and only then asks. For questions that the person does not
   * expect: keys that were meant for something else must not answer them.
   */
  settle?: boolean;
  /** Returns further lines, which are shown when the person types `v`. The question stays open. */
  onView?: () => readonly string[];
  /** Withdraws the question: its answer is undefined. */
  signal?: AbortSignal;
}

/** Handles the lines of a shell. */
export interface LineReader {
  prompt: string;
  /** Earlier lines, the newest first. */
  history?: readonly string[];
  /** Runs one line. `signal` fires when Ctrl-C is pressed meanwhile. */
  onLine(line: string, signal: AbortSignal): Promise<void>;
  /** The candidates for the end of the line, and the fragment that they complete. */
  complete(line: string): [candidates: string[], fragment: string];
}

/** A person at a keyboard. Questions are asked one at a time, and interrupt the reading of commands. */
export interface Terminal {
  /** Resolves to undefined on Ctrl-C, at the end of input, and when the question is withdrawn. */
  ask(question: string, options?: QuestionOptions): Promise<string | undefined>;
  /**
   * Asks questions that belong together: no other question, no command line and no line of output comes between them. `run`
   * asks with the function that it gets; `ask` of the terminal would wait for its end.
   */
  converse<T>(run: (ask: Terminal['ask']) => Promise<T>): Promise<T>;
  /** Reads commands until `signal` fires or the input ends. */
  readCommands(reader: LineReader, signal: AbortSignal): Promise<void>;
  /** Shows a line that the next call replaces; undefined removes it. */
  status(line: string | undefined): void;
  /** Takes the whole terminal, and its keys, until the screen is disposed. */
  openScreen(onKey: (key: string) => void): Screen;
  readonly size: TerminalSize;
}

/** The whole terminal. */
export interface Screen extends Disposable {
  /** Replaces what is shown. Lines are cut to the width, and those that do not fit are left out. */
  draw(lines: readonly string[]): void;
  readonly size: TerminalSize;
}

/** In characters. */
export interface TerminalSize {
  rows: number;
  columns: number;
}
