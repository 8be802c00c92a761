import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { Debouncer, SerialQueue, settle } from '@a2c-smcp/core';
import { cut } from '../output/table.ts';
import type { LineReader, QuestionOptions, Screen, Terminal, TerminalSize } from '../output/terminal.ts';
import { MutedOutput } from './muted-output.ts';
import { openScreen } from './screen.ts';

/** Lines that are held during a dialog. Of more, the newest. */
const MAX_HELD_LINES = 1000;

/** Commands that can be called up again. */
const MAX_HISTORY_LINES = 500;

/** Milliseconds without a key after which a person is assumed to have seen the screen. */
const QUIET_MS = 500;

export interface KeyboardOptions {
  input: ReadStream;
  output: WriteStream;
  /** Called when Ctrl-C is pressed while there is no command or question to end. */
  onInterrupt: () => void;
}

interface Question {
  hidden: boolean;
  onView: (() => readonly string[]) | undefined;
  /** True if it is shown and takes keys. */
  isOpen: boolean;
  /** Fires when it is answered or withdrawn. */
  ended: AbortController;
  resolve: (answer: string | undefined) => void;
}

/** Questions that belong together. */
interface Dialog {
  /** The unfinished command line that it interrupted. */
  typed: string;
}

/** A call of `readCommands` in progress. */
interface CommandLoop {
  reader: LineReader;
  /** Lines that were typed while a command runs. */
  pending: string[];
  running: AbortController | undefined;
  end: () => void;
}

/** The terminal of the process: one keyboard for a command line and for questions at any time. */
export class Keyboard implements Terminal {
  readonly #options: KeyboardOptions;
  readonly #echo: MutedOutput;
  readonly #dialogs = new SerialQueue();
  #lines: Interface | undefined;
  #loop: CommandLoop | undefined;
  #dialog: Dialog | undefined;
  #question: Question | undefined;
  #statusShown = false;
  #screen: Screen | undefined;
  /** Written during a dialog: between a question and its prompt they would drown it. */
  #held: string[] = [];
  #droppedCount = 0;

  constructor(options: KeyboardOptions) {
    this.#options = options;
    this.#echo = new MutedOutput(options.output);
  }

  get size(): TerminalSize {
    // Some terminals report a size of 0.
    const { rows, columns } = this.#options.output;
    return { rows: rows || 24, columns: columns || 80 };
  }

  ask(question: string, options: QuestionOptions = {}): Promise<string | undefined> {
    return this.converse(ask => ask(question, options));
  }

  converse<T>(run: (ask: Terminal['ask']) => Promise<T>): Promise<T> {
    return this.#dialogs.run(async () => {
      this.#beginDialog();
      try {
        return await run((question, options) => this.#ask(question, options));
      } finally {
        this.#endDialog();
      }
    });
  }

  async readCommands(reader: LineReader, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await this.#dialogs.idle();
    const lines = this.#open(reader.history);
    const ended = settle<void>(
      resolve => {
        this.#loop = { reader, pending: [], running: undefined, end: resolve };
        lines.setPrompt(reader.prompt);
        lines.prompt();
        return undefined;
      },
      { signal },
    );
    await ended.catch(() => {});
    this.#loop?.running?.abort();
    this.#loop = undefined;
    this.#close();
  }

  status(line: string | undefined): void {
    const { output } = this.#options;
    const isHidden = this.#dialog !== undefined || this.#isIdle;
    if (line === undefined ? !this.#statusShown : isHidden) return;
    cursorTo(output, 0);
    clearScreenDown(output);
    this.#statusShown = line !== undefined;
    // Cut to one row, so that it can be replaced.
    if (line !== undefined) output.write(cut(line, this.size.columns - 1));
  }

  openScreen(onKey: (key: string) => void): Screen {
    const { input, output, onInterrupt } = this.#options;
    this.status(undefined);
    this.#screen = openScreen({ input, output, onKey, onInterrupt });
    return this.#screen;
  }

  /** Writes above the command line that is being typed: erases it and shows it again below. Waits for the end of a dialog. */
  write(text: string): void {
    if (this.#dialog) {
      this.#hold(text);
      return;
    }
    const lines = this.#isIdle ? this.#lines : undefined;
    if (lines) this.#eraseTyped(lines);
    this.status(undefined);
    this.#options.output.write(text);
    lines?.prompt(true);
  }

  /** Writes what was held for a dialog. Gives the terminal back. */
  flush(): void {
    this.#screen?.[Symbol.dispose]();
    const [held, droppedCount] = [this.#held, this.#droppedCount];
    this.#held = [];
    this.#droppedCount = 0;
    if (droppedCount > 0) this.#options.output.write(`… ${droppedCount.toLocaleString('en')} earlier lines\n`);
    this.#options.output.write(held.join(''));
  }

  #hold(text: string): void {
    this.#held.push(text);
    if (this.#held.length <= MAX_HELD_LINES) return;
    this.#held.shift();
    this.#droppedCount += 1;
  }

  get #isIdle(): boolean {
    return this.#loop !== undefined && this.#loop.running === undefined;
  }

  #open(history: readonly string[] = []): Interface {
    if (this.#lines) return this.#lines;
    const lines = createInterface({
      input: this.#options.input,
      output: this.#echo,
      terminal: true,
      history: [...history],
      historySize: MAX_HISTORY_LINES,
      removeHistoryDuplicates: true,
      completer: (line: string) => (this.#dialog ? [[], line] : (this.#loop?.reader.complete(line) ?? [[], line])),
    });
    lines.on('line', line => this.#take(line));
    lines.on('SIGINT', () => this.#interrupt());
    lines.on('close', () => this.#ended(lines));
    // Answers are not commands and may be secret.
    lines.on('history', history => this.#dialog && history.shift());
    this.#lines = lines;
    return lines;
  }

  #close(): void {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
  }

  #beginDialog(): void {
    this.status(undefined);
    const lines = this.#isIdle ? this.#lines : undefined;
    this.#dialog = { typed: lines?.line ?? '' };
    if (lines) this.#clearTyped(lines);
  }

  /** Shows what was held, and restores the command line. */
  #endDialog(): void {
    const { typed = '' } = this.#dialog ?? {};
    this.#dialog = undefined;
    this.flush();
    const [loop, lines] = [this.#loop, this.#lines];
    if (!loop) this.#close();
    else if (lines) {
      lines.setPrompt(loop.reader.prompt);
      if (!this.#isIdle) return;
      lines.prompt();
      if (typed !== '') lines.write(typed);
    }
  }

  async #ask(text: string, options: QuestionOptions = {}): Promise<string | undefined> {
    const { hidden = false, preface = [], settle: mustSettle = false, onView, signal } = options;
    if (signal?.aborted) return undefined;
    const lines = this.#open();
    this.#print(preface);
    const withdraw = () => this.#answer(undefined);
    const answer = await new Promise<string | undefined>(resolve => {
      const question = { hidden, onView, isOpen: false, ended: new AbortController(), resolve };
      this.#question = question;
      signal?.addEventListener('abort', withdraw, { once: true });
      if (mustSettle) void this.#settle(question, lines).then(() => this.#show(question, text, lines));
      else this.#show(question, text, lines);
    });
    signal?.removeEventListener('abort', withdraw);
    return answer;
  }

  /** Drops keys, lines included, without an echo until none was pressed for `QUIET_MS`. */
  async #settle({ ended }: Question, lines: Interface): Promise<void> {
    this.#echo.isMuted = true;
    await untilQuiet(this.#options.input, ended.signal);
    if (!ended.signal.aborted) this.#forgetTyped(lines);
  }

  #show(question: Question, text: string, lines: Interface): void {
    if (this.#question !== question) return;
    question.isOpen = true;
    lines.setPrompt(text);
    lines.prompt();
    this.#echo.isMuted = question.hidden;
  }

  #print(lines: readonly string[]): void {
    this.#options.output.write(lines.map(line => `${line}\n`).join(''));
  }

  /** Ends the question. */
  #answer(answer: string | undefined): void {
    const question = this.#question;
    if (!question) return;
    this.#question = undefined;
    question.ended.abort();
    this.#echo.isMuted = false;
    const lines = this.#lines;
    // The echo of the line break was muted too.
    if (question.isOpen && (question.hidden || answer === undefined)) this.#options.output.write('\n');
    if (answer === undefined && lines) this.#forgetTyped(lines);
    question.resolve(answer);
  }

  #take(line: string): void {
    const question = this.#question;
    if (question?.isOpen) this.#takeAnswer(question, line);
    // A line between two questions was typed for neither of them, and is not a command.
    if (this.#dialog) return;
    this.#loop?.pending.push(line);
    if (this.#isIdle) void this.#work();
  }

  #takeAnswer({ onView }: Question, line: string): void {
    if (onView && /^\s*v(iew)?\s*$/i.test(line)) {
      this.#print(onView());
      this.#lines?.prompt();
    } else this.#answer(line);
  }

  async #work(): Promise<void> {
    const loop = this.#loop;
    for (let line = loop?.pending.shift(); loop && line !== undefined; line = loop.pending.shift()) {
      const running = new AbortController();
      loop.running = running;
      await loop.reader.onLine(line, running.signal);
      if (this.#loop !== loop) return;
    }
    if (!loop) return;
    loop.running = undefined;
    if (!this.#dialog) this.#lines?.prompt();
  }

  #interrupt(): void {
    if (this.#dialog) {
      this.#answer(undefined);
      if (!this.#loop) this.#options.onInterrupt();
    } else if (this.#loop?.running) this.#loop.running.abort();
    else if (this.#lines && this.#lines.line !== '') {
      this.#options.output.write('\n');
      this.#forgetTyped(this.#lines);
      this.#lines.prompt();
    } else if (this.#loop) {
      this.#options.output.write('\n');
      this.#loop.end();
    } else this.#options.onInterrupt();
  }

  #ended(lines: Interface): void {
    if (this.#lines !== lines) return;
    this.#lines = undefined;
    this.#answer(undefined);
    this.#loop?.end();
  }

  #clearTyped(lines: Interface): void {
    this.#eraseTyped(lines);
    this.#forgetTyped(lines);
  }

  /** Erases the prompt and the typed line from the screen. */
  #eraseTyped(lines: Interface): void {
    const { output } = this.#options;
    moveCursor(output, 0, -lines.getCursorPos().rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  }

  /** Empties the line that is being typed, without an echo. */
  #forgetTyped(lines: Interface): void {
    this.#echo.isMuted = true;
    // The keys that move to the end and delete to the beginning.
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    this.#echo.isMuted = false;
  }
}

/** Resolves when no key was pressed for `QUIET_MS`, or when the signal fires. `input` emits `keypress`. */
function untilQuiet(input: ReadStream, signal: AbortSignal): Promise<void> {
  const quiet = settle<void>(
    resolve => {
      let check: NodeJS.Immediate | undefined;
      const debouncer = new Debouncer(
        () => {
          // When the event loop was busy, keys that were pressed in time are read between the timer and this.
          check = setImmediate(resolve);
        },
        { delay: QUIET_MS, restart: true },
      );
      const restart = () => {
        clearImmediate(check);
        debouncer.request();
      };
      input.on('keypress', restart);
      restart();
      return () => {
        input.off('keypress', restart);
        debouncer.cancel();
        clearImmediate(check);
      };
    },
    { signal },
  );
  return quiet.catch(() => {});
}
