import { VrlRuntimeError } from './errors.ts';
import { type Instance, Refusal } from './instance.ts';
import { fromTaggedJson, mendSurrogates, toTaggedJson, type VrlValue } from './values.ts';

export interface RunOptions {
  /** What times without a zone mean: a name of the IANA database, or `local` for the zone of this machine. @default 'UTC' */
  timezone?: string;
  /** Milliseconds that the run may take. @default 1000 */
  timeout?: number;
}

/** What a run leaves behind. */
export interface RunResult<T> {
  /** The event as the program changed it. */
  event: T;
  /** The value of the program's last expression. */
  output: T;
}

/** Where a program was compiled. */
export interface Place {
  instance: Instance;
  program: number;
}

/** Finds a place for a program, again if the former one broke. */
export interface Placement {
  place(): Place;
  release(place: Place): void;
}

/**
 * A compiled program. It can run any number of times, each run with a state of its own. A run that exceeds a limit
 * breaks the program's instance; the next run gets a fresh one.
 */
export class VrlProgram implements Disposable {
  readonly source: string;
  readonly #placement: Placement;
  #place: Place;
  #disposed = false;

  constructor(source: string, placement: Placement) {
    this.source = source;
    this.#placement = placement;
    this.#place = placement.place();
  }

  /**
   * Runs the program on a JavaScript value, which stays as it is. A number without a fraction is an integer to VRL, a
   * bigint too, and a `Date` is a timestamp; back come bigints for integers beyond 2^53, and dates.
   */
  run(event: unknown, options?: RunOptions): RunResult<VrlValue> {
    const result = this.#run(toTaggedJson(event), true, options);
    return { event: fromTaggedJson(result.event), output: fromTaggedJson(result.output) };
  }

  /** Runs the program on JSON text and returns JSON text: nothing is lost to JavaScript's numbers and dates. */
  runJson(event: string, options?: RunOptions): RunResult<string> {
    return this.#run(event, false, options);
  }

  /** Gives back the memory of the program. The garbage collector does so too, if nobody holds the program any more. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#placement.release(this.#place);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #run(event: string, tagged: boolean, { timezone = 'UTC', timeout = 1000 }: RunOptions = {}): RunResult<string> {
    if (this.#disposed) throw new TypeError('The program was disposed');
    if (this.#place.instance.broken) this.#place = this.#placement.place();
    const { instance, program } = this.#place;
    const zone = timezone === 'local' ? localTimezone() : timezone;
    try {
      return instance.run({ program, event: mendSurrogates(event), timezone: zone, tagged }, timeout);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      throw thrown.report.reason === 'usage' ? new TypeError(thrown.message) : VrlRuntimeError.of(thrown.report);
    }
  }
}

function localTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
