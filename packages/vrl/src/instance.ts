import { type Report, VrlRuntimeError } from './errors.ts';
import { hostImports } from './host.ts';

/** What the module exports; `wasm/src/exports.rs` says what each does. */
interface Exports {
  memory: WebAssembly.Memory;
  fuel: WebAssembly.Global<'i32'>;
  start(): void;
  input(length: number): number;
  output(): number;
  output_length(): number;
  compile(): number;
  timezone(): number;
  run(program: number, timezone: number, tagged: number): number;
  dispose(program: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Calls and turns of a loop between two looks at the clock: well below a millisecond. */
const FUEL = 100_000;

/** The engine's answer to what it could not do. The instance is sound. */
export class Refusal extends Error {
  readonly report: Report;

  constructor(report: Report) {
    super(report.diagnostics[0]?.message);
    this.report = report;
  }
}

export interface RunRequest {
  program: number;
  event: string;
  timezone: string;
  /** Whether JSON is written for JavaScript; see `values.ts`. */
  tagged: boolean;
}

/**
 * One instance of the module. It runs one thing at a time and to its end, so a deadline is looked at from inside: the
 * module calls `tick` whenever its fuel is used up. Whatever is thrown through the module leaves its memory in an
 * unknown state: the instance is then broken and must not be used again.
 */
export class Instance {
  readonly #exports: Exports;
  readonly #timezones = new Map<string, number>();
  #timeout = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #broken = false;

  constructor(module: WebAssembly.Module) {
    const imports = hostImports({
      memory: () => this.#exports.memory,
      tick: () => this.#tick(),
    });
    const instance = new WebAssembly.Instance(module, imports);
    this.#exports = instance.exports as unknown as Exports;
    this.#exports.start();
  }

  get broken(): boolean {
    return this.#broken;
  }

  /** Bytes of memory. */
  get size(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** The number of the compiled program. */
  compile(source: string, timeout: number): number {
    return this.#guard(timeout, () => this.#call(source, () => this.#exports.compile()));
  }

  /** The event and the output, each as JSON. */
  run({ program, event, timezone, tagged }: RunRequest, timeout: number): { event: string; output: string } {
    return this.#guard(timeout, () => {
      const zone = this.#timezone(timezone);
      this.#call(event, () => this.#exports.run(program, zone, Number(tagged)));
      // JSON contains no bare newline.
      const [after = '', output = ''] = this.#output().split('\n');
      return { event: after, output };
    });
  }

  dispose(program: number): void {
    if (!this.#broken) this.#guard(Number.POSITIVE_INFINITY, () => this.#exports.dispose(program));
  }

  #timezone(name: string): number {
    const known = this.#timezones.get(name);
    if (known !== undefined) return known;
    const number = this.#call(name, () => this.#exports.timezone());
    this.#timezones.set(name, number);
    return number;
  }

  #guard<T>(timeout: number, work: () => T): T {
    this.#timeout = timeout;
    this.#deadline = performance.now() + timeout;
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof Refusal) throw thrown;
      this.#broken = true;
      if (thrown instanceof VrlRuntimeError) throw thrown;
      throw new VrlRuntimeError(`The engine crashed: ${(thrown as Error).message}`, 'crash', { cause: thrown });
    }
  }

  #call(input: string, run: () => number): number {
    const bytes = encoder.encode(input);
    const address = this.#exports.input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, address);
    const answer = run();
    if (answer < 0) throw new Refusal(JSON.parse(this.#output()));
    return answer;
  }

  #output(): string {
    const { memory, output, output_length } = this.#exports;
    return decoder.decode(new Uint8Array(memory.buffer, output(), output_length()));
  }

  #tick(): void {
    if (performance.now() > this.#deadline) {
      throw new VrlRuntimeError(`It took longer than ${this.#timeout} ms`, 'timeout');
    }
    this.#exports.fuel.value = FUEL;
  }
}
