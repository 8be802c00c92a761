/** How a question is asked. */
export interface QuestionOptions {
  /** Lines above the question, shown when its turn comes. */
  preface?: readonly string[];
  /** Shows nothing of what is typed. */
  hidden?: boolean;
  /**
   * Drops keys until none was pressed for half a second, and asks only then: for questions that come by themselves, so
   * that what was typed for something else does not answer them.
   */
  settle?: boolean;
  /** Gives more lines to show. The person types `v` for them, and the question stays open. */
  onView?: () => readonly string[];
  /** Takes the question back; the answer is then undefined. */
  signal?: AbortSignal;
}

/** What reads a line of commands until there are no more. */
export interface LineReader {
  prompt: string;
  /** Handles one line. Firing `signal` means that the person pressed Ctrl-C while it ran. */
  onLine(line: string, signal: AbortSignal): Promise<void>;
  /** The words that may stand at the end of the line, and what they would complete. */
  complete(line: string): [candidates: string[], fragment: string];
}

/** A person at a keyboard. Questions wait for each other, and interrupt the reading of commands. */
export interface Terminal {
  /** The answer to a question, or undefined when there is none: Ctrl-C, the end of input, or it was taken back. */
  ask(question: string, options?: QuestionOptions): Promise<string | undefined>;
  /** Reads commands until `signal` fires or the person leaves. */
  readCommands(reader: LineReader, signal: AbortSignal): Promise<void>;
  /** Shows a line in place, to be replaced by the next; undefined takes it away. */
  status(line: string | undefined): void;
  /** How much fits on the screen now. */
  readonly size: TerminalSize;
}

/** In characters. */
export interface TerminalSize {
  rows: number;
  columns: number;
}
