import { VrlRuntimeError } from './errors.ts';
import { EngineRefusal, type Instance } from './instance.ts';
import { fromTaggedJson, mendSurrogates, toTaggedJson, type VrlValue } from './values.ts';

export interface RunOptions {
  /** The zone of times that name none: a name of the IANA database, or `local` for this machine's. @default 'UTC' */
  timezone?: string;
  /** Milliseconds that the run may take. @default 1000 */
  timeout?: number;
}

export interface RunResult<T> {
  /** The event as the program changed it. */
  event: T;
  /** The value of the program's last expression. */
  output: T;
}

/** A program inside an instance. */
export interface CompiledProgram {
  instance: Instance;
  id: number;
}

export interface ProgramOptions {
  /** Compiles the source. Called again when the instance of the program broke. */
  compile(): CompiledProgram;
  release(compiled: CompiledProgram): void;
}

/**
 * A compiled program. It can run any number of times, each run with a state of its own. A run that exceeds a limit
 * breaks the program's instance; the next run gets a fresh one.
 */
export class VrlProgram implements Disposable {
  readonly source: string;
  readonly #options: ProgramOptions;
  #compiled: CompiledProgram;
  #isDisposed = false;

  constructor(source: string, options: ProgramOptions) {
    this.source = source;
    this.#options = options;
    this.#compiled = options.compile();
  }

  /**
   * Runs the program on a JavaScript value, which is not modified. Numbers without a fraction and bigints are integers in
   * VRL, a `Date` is a timestamp. Integers beyond 2^53 are returned as bigints, timestamps as dates.
   */
  run(event: unknown, options?: RunOptions): RunResult<VrlValue> {
    const result = this.#run(toTaggedJson(event), true, options);
    return { event: fromTaggedJson(result.event), output: fromTaggedJson(result.output) };
  }

  /** Runs the program on JSON text and returns JSON text, which keeps 64-bit integers, floats and nanoseconds. */
  runJson(event: string, options?: RunOptions): RunResult<string> {
    return this.#run(event, false, options);
  }

  /** Releases the memory of the program, which is otherwise left to the garbage collector. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#options.release(this.#compiled);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #run(event: string, tagged: boolean, { timezone = 'UTC', timeout = 1000 }: RunOptions = {}): RunResult<string> {
    if (this.#isDisposed) throw new TypeError('The program was disposed');
    if (this.#compiled.instance.isBroken) this.#compiled = this.#options.compile();
    const { instance, id } = this.#compiled;
    const zone = timezone === 'local' ? localTimezone() : timezone;
    try {
      return instance.run({ program: id, event: mendSurrogates(event), timezone: zone, tagged }, timeout);
    } catch (thrown) {
      if (!(thrown instanceof EngineRefusal)) throw thrown;
      throw thrown.report.reason === 'usage' ? new TypeError(thrown.message) : VrlRuntimeError.of(thrown.report);
    }
  }
}

function localTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
