import { type Report, VrlRuntimeError } from './errors.ts';
import { moduleImports } from './imports.ts';

/** The exports of the module, documented in `wasm/src/exports.rs`. */
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

/** Calls and turns of a loop between two checks of the deadline: well below a millisecond. */
const FUEL_PER_TICK = 100_000;

/** The engine reported an error of the program or the request. The instance can be used again. */
export class EngineRefusal extends Error {
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
  /** True if values that JSON cannot write are tagged, see `values.ts`. */
  tagged: boolean;
}

/**
 * One instance of the module. Calls are synchronous, so the deadline is checked from inside: the module calls `tick`
 * whenever its fuel is used up. An exception that passes through the module leaves its memory in an unknown state: the
 * instance is then broken and must not be used again.
 */
export class Instance {
  readonly #exports: Exports;
  readonly #timezones = new Map<string, number>();
  #timeout = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #isBroken = false;

  constructor(module: WebAssembly.Module) {
    const imports = moduleImports({
      memory: () => this.#exports.memory,
      tick: () => this.#tick(),
    });
    const instance = new WebAssembly.Instance(module, imports);
    this.#exports = instance.exports as unknown as Exports;
    this.#exports.start();
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Bytes of memory. */
  get size(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Returns the id of the compiled program. */
  compile(source: string, timeout: number): number {
    return this.#guard(timeout, () => this.#call(source, () => this.#exports.compile()));
  }

  /** Returns the event and the output, each as JSON. */
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
    if (!this.#isBroken) this.#guard(Number.POSITIVE_INFINITY, () => this.#exports.dispose(program));
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
      if (thrown instanceof EngineRefusal) throw thrown;
      this.#isBroken = true;
      if (thrown instanceof VrlRuntimeError) throw thrown;
      throw new VrlRuntimeError(`The engine crashed: ${(thrown as Error).message}`, 'crash', { cause: thrown });
    }
  }

  #call(input: string, run: () => number): number {
    const bytes = encoder.encode(input);
    const address = this.#exports.input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, address);
    const answer = run();
    if (answer < 0) throw new EngineRefusal(JSON.parse(this.#output()));
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
    this.#exports.fuel.value = FUEL_PER_TICK;
  }
}
