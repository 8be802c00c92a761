import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { Curtain } from './curtain.ts';
import type { LineReader, QuestionOptions, Terminal } from './terminal.ts';

export interface KeyboardOptions {
  input: ReadStream;
  output: WriteStream;
  /** Called when Ctrl-C is pressed and there is neither a command nor a question that it could end. */
  onInterrupt: () => void;
}

interface Question {
  hidden: boolean;
  /** What was being typed when the question came. */
  typed: string;
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
  readonly #curtain: Curtain;
  #lines: Interface | undefined;
  #session: Session | undefined;
  #question: Question | undefined;
  #questions: Promise<unknown> = Promise.resolve();
  #statusShown = false;

  constructor(options: KeyboardOptions) {
    this.#options = options;
    this.#curtain = new Curtain(options.output);
  }

  ask(question: string, options: QuestionOptions = {}): Promise<string | undefined> {
    const answer = this.#questions.then(() => this.#ask(question, options));
    this.#questions = answer;
    return answer;
  }

  async readCommands(reader: LineReader, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await this.#questions;
    const lines = this.#open();
    await new Promise<void>(resolve => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#session = { reader, waiting: [], running: undefined, end: resolve };
      lines.setPrompt(reader.prompt);
      lines.prompt();
    });
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
    if (line !== undefined) output.write(line);
  }

  /** Writes between what is being typed: the line is taken away and put back below. */
  write(text: string): void {
    const { output } = this.#options;
    const lines = this.#lines;
    const isTyping = lines !== undefined && (this.#question !== undefined || this.#isIdle);
    if (isTyping) {
      moveCursor(output, 0, -lines.getCursorPos().rows);
      cursorTo(output, 0);
      clearScreenDown(output);
    }
    this.status(undefined);
    output.write(text);
    if (isTyping && this.#question?.hidden === true) this.#promptHidden(lines);
    else if (isTyping) lines.prompt(true);
  }

  get #isIdle(): boolean {
    return this.#session !== undefined && this.#session.running === undefined;
  }

  #open(): Interface {
    if (this.#lines) return this.#lines;
    const lines = createInterface({
      input: this.#options.input,
      output: this.#curtain,
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

  async #ask(text: string, { hidden = false, preface = [], signal }: QuestionOptions): Promise<string | undefined> {
    if (signal?.aborted) return undefined;
    this.status(undefined);
    const lines = this.#open();
    const typed = this.#isIdle ? lines.line : '';
    if (this.#isIdle) this.#clearTyped(lines);
    for (const line of preface) this.#options.output.write(`${line}\n`);
    const takeBack = () => this.#answer(undefined);
    const answer = await new Promise<string | undefined>(resolve => {
      this.#question = { hidden, typed, resolve };
      signal?.addEventListener('abort', takeBack, { once: true });
      lines.setPrompt(text);
      if (hidden) this.#promptHidden(lines);
      else lines.prompt();
    });
    signal?.removeEventListener('abort', takeBack);
    if (!this.#session) this.#close();
    return answer;
  }

  #promptHidden(lines: Interface): void {
    this.#curtain.drawn = false;
    lines.prompt(true);
    this.#curtain.drawn = true;
  }

  /** Ends the question and puts the command line back as it was. */
  #answer(answer: string | undefined): void {
    const question = this.#question;
    if (!question) return;
    this.#question = undefined;
    this.#curtain.drawn = false;
    const lines = this.#lines;
    // The line break that was typed is behind the curtain with the rest.
    if (question.hidden || answer === undefined) this.#options.output.write('\n');
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
    if (this.#question) {
      this.#answer(line);
      return;
    }
    this.#session?.waiting.push(line);
    if (this.#isIdle) void this.#work();
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
    const { output } = this.#options;
    moveCursor(output, 0, -lines.getCursorPos().rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    this.#forgetTyped(lines);
  }

  /** Empties the line that is being typed, without a trace on the screen. */
  #forgetTyped(lines: Interface): void {
    this.#curtain.drawn = true;
    // The two keys that go to the end and delete back to the beginning.
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    this.#curtain.drawn = false;
  }
}
