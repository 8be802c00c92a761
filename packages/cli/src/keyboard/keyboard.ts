import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { Debouncer, SerialQueue, settle } from '@a2c-smcp/core';
import { cut, displayWidth } from '../output/table.ts';
import { MutedOutput } from './muted-output.ts';
import type { LineReader, QuestionOptions, Terminal, TerminalSize } from './terminal.ts';

/** Milliseconds without a key after which a person is taken to have seen what is on the screen. */
const QUIET_MS = 500;

export interface KeyboardOptions {
  input: ReadStream;
  output: WriteStream;
  /** Called when Ctrl-C is pressed and there is neither a command nor a question that it could end. */
  onInterrupt: () => void;
}

interface Question {
  hidden: boolean;
  onView: (() => readonly string[]) | undefined;
  /** The command that was being typed when the question came. */
  typed: string;
  /** Whether it is on the screen and takes keys. */
  isOpen: boolean;
  /** Fires when it was answered or taken back. */
  ended: AbortController;
  resolve: (answer: string | undefined) => void;
}

/** The command line that is being read. */
interface Session {
  reader: LineReader;
  waiting: string[];
  running: AbortController | undefined;
  end: () => void;
}

/** The person at the terminal: one keyboard for a command line and for questions that may come at any time. */
export class Keyboard implements Terminal {
  readonly #options: KeyboardOptions;
  readonly #echo: MutedOutput;
  readonly #questions = new SerialQueue();
  #lines: Interface | undefined;
  #session: Session | undefined;
  #question: Question | undefined;
  #statusShown = false;

  constructor(options: KeyboardOptions) {
    this.#options = options;
    this.#echo = new MutedOutput(options.output);
  }

  get size(): TerminalSize {
    // Some terminals say that they have no size.
    const { rows, columns } = this.#options.output;
    return { rows: rows || 24, columns: columns || 80 };
  }

  ask(question: string, options: QuestionOptions = {}): Promise<string | undefined> {
    return this.#questions.run(() => this.#ask(question, options));
  }

  async readCommands(reader: LineReader, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await this.#questions.idle();
    const lines = this.#open();
    const ended = settle<void>(
      resolve => {
        this.#session = { reader, waiting: [], running: undefined, end: resolve };
        lines.setPrompt(reader.prompt);
        lines.prompt();
        return undefined;
      },
      { signal },
    );
    await ended.catch(() => {});
    this.#session?.running?.abort();
    this.#session = undefined;
    this.#close();
  }

  status(line: string | undefined): void {
    const { output } = this.#options;
    const isInTheWay = this.#question !== undefined || this.#isIdle;
    if (line === undefined ? !this.#statusShown : isInTheWay) return;
    cursorTo(output, 0);
    clearScreenDown(output);
    this.#statusShown = line !== undefined;
    // On one row, so that it can be replaced.
    if (line !== undefined) output.write(cut(line, this.size.columns - 1));
  }

  /** Writes between what is being typed: the line is taken away and put back below. */
  write(text: string): void {
    const { output } = this.#options;
    const lines = this.#lines;
    const isTyping = lines !== undefined && (this.#question ? this.#question.isOpen : this.#isIdle);
    if (isTyping) this.#eraseTyped(lines);
    this.status(undefined);
    output.write(text);
    if (!isTyping) return;
    // Of a hidden answer the screen has the question only; readline would show all of its line.
    if (this.#question?.hidden === true) output.write(lines.getPrompt());
    else lines.prompt(true);
  }

  get #isIdle(): boolean {
    return this.#session !== undefined && this.#session.running === undefined;
  }

  #open(): Interface {
    if (this.#lines) return this.#lines;
    const lines = createInterface({
      input: this.#options.input,
      output: this.#echo,
      terminal: true,
      historySize: 500,
      removeHistoryDuplicates: true,
      completer: (line: string) => (this.#question ? [[], line] : (this.#session?.reader.complete(line) ?? [[], line])),
    });
    lines.on('line', line => this.#take(line));
    lines.on('SIGINT', () => this.#interrupt());
    lines.on('close', () => this.#ended(lines));
    // An answer is no command, and may be a secret.
    lines.on('history', history => this.#question && history.shift());
    this.#lines = lines;
    return lines;
  }

  #close(): void {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
  }

  async #ask(text: string, options: QuestionOptions): Promise<string | undefined> {
    const { hidden = false, preface = [], settle: mustSettle = false, onView, signal } = options;
    if (signal?.aborted) return undefined;
    this.status(undefined);
    const lines = this.#open();
    const typed = this.#isIdle ? lines.line : '';
    if (this.#isIdle) this.#clearTyped(lines);
    this.#print(preface);
    const takeBack = () => this.#answer(undefined);
    const answer = await new Promise<string | undefined>(resolve => {
      const question = { hidden, onView, typed, isOpen: false, ended: new AbortController(), resolve };
      this.#question = question;
      signal?.addEventListener('abort', takeBack, { once: true });
      if (mustSettle) void this.#settle(question, lines).then(() => this.#show(question, text, lines));
      else this.#show(question, text, lines);
    });
    signal?.removeEventListener('abort', takeBack);
    if (!this.#session) this.#close();
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

  /** Ends the question and puts the command line back as it was. */
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
    const session = this.#session;
    if (session && lines) {
      lines.setPrompt(session.reader.prompt);
      if (this.#isIdle) {
        lines.prompt();
        if (question.typed !== '') lines.write(question.typed);
      }
    }
    question.resolve(answer);
  }

  #take(line: string): void {
    const question = this.#question;
    if (question) {
      if (question.isOpen) this.#takeAnswer(question, line);
      return;
    }
    this.#session?.waiting.push(line);
    if (this.#isIdle) void this.#work();
  }

  #takeAnswer({ onView }: Question, line: string): void {
    if (onView && /^\s*v(iew)?\s*$/i.test(line)) {
      this.#print(onView());
      this.#lines?.prompt();
    } else this.#answer(line);
  }

  async #work(): Promise<void> {
    const session = this.#session;
    for (let line = session?.waiting.shift(); session && line !== undefined; line = session.waiting.shift()) {
      const running = new AbortController();
      session.running = running;
      await session.reader.onLine(line, running.signal);
      if (this.#session !== session) return;
    }
    if (!session) return;
    session.running = undefined;
    this.#lines?.prompt();
  }

  #interrupt(): void {
    if (this.#question) {
      this.#answer(undefined);
      if (!this.#session) this.#options.onInterrupt();
    } else if (this.#session?.running) this.#session.running.abort();
    else if (this.#lines && this.#lines.line !== '') {
      this.#options.output.write('\n');
      this.#forgetTyped(this.#lines);
      this.#lines.prompt();
    } else if (this.#session) {
      this.#options.output.write('\n');
      this.#session.end();
    } else this.#options.onInterrupt();
  }

  #ended(lines: Interface): void {
    if (this.#lines !== lines) return;
    this.#lines = undefined;
    this.#answer(undefined);
    this.#session?.end();
  }

  #clearTyped(lines: Interface): void {
    this.#eraseTyped(lines);
    this.#forgetTyped(lines);
  }

  /** Takes the prompt and what was typed off the screen. */
  #eraseTyped(lines: Interface): void {
    const { output } = this.#options;
    const { columns } = this.size;
    const isHidden = this.#question?.hidden === true;
    const rows = isHidden ? Math.floor(displayWidth(lines.getPrompt()) / columns) : lines.getCursorPos().rows;
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  }

  /** Empties the line that is being typed, without a trace on the screen. */
  #forgetTyped(lines: Interface): void {
    this.#echo.isMuted = true;
    // The two keys that go to the end and delete back to the beginning.
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
          // After a busy event loop, keys that were pressed in time are read between the timer and this.
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
