import { VrlCompileError, VrlRuntimeError } from './errors.ts';
import { Instance, Refusal } from './instance.ts';
import { loadModule, type WasmSource } from './load.ts';
import { type Place, VrlProgram } from './program.ts';

export interface CompileOptions {
  /** Milliseconds that compiling may take. @default 1000 */
  timeout?: number;
}

/** An instance that has grown beyond this many bytes is left to the garbage collector. */
const LARGEST_SPARE = 16 * 1024 * 1024;

/** The loaded module. Each of its programs has an instance of its own, and with it a memory of its own. */
export class VrlEngine {
  readonly #module: WebAssembly.Module;
  /** An instance without a program: creating one takes longer than compiling most scripts. */
  #spare: Instance | undefined;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Loads the engine from where it was published, or from where a bundler has put it. */
  static async load(wasm?: WasmSource): Promise<VrlEngine> {
    return new VrlEngine(await loadModule(wasm));
  }

  /** Compiles a program or throws a `VrlCompileError`. A blank source is a program that changes nothing. */
  compile(source: string, { timeout = 1000 }: CompileOptions = {}): VrlProgram {
    return new VrlProgram(source, {
      place: () => this.#place(source, timeout),
      release: ({ instance, program }) => {
        instance.dispose(program);
        this.#keep(instance);
      },
    });
  }

  #place(source: string, timeout: number): Place {
    const instance = this.#spare ?? new Instance(this.#module);
    this.#spare = undefined;
    try {
      return { instance, program: instance.compile(source, timeout) };
    } catch (thrown) {
      this.#keep(instance);
      if (thrown instanceof Refusal) throw VrlCompileError.of(thrown.report);
      if (thrown instanceof VrlRuntimeError) throw new VrlCompileError(thrown.message, {}, { cause: thrown });
      throw thrown;
    }
  }

  #keep(instance: Instance): void {
    if (!instance.broken && instance.size <= LARGEST_SPARE) this.#spare = instance;
  }
}
