import { VrlCompileError, VrlRuntimeError } from './errors.ts';
import { EngineRefusal, Instance } from './instance.ts';
import { type CompiledProgram, VrlProgram } from './program.ts';

export interface CompileOptions {
  /** Milliseconds that compiling may take. @default 1000 */
  timeout?: number;
}

/** The address of the module, or its bytes. */
export type WasmSource = URL | BufferSource;

/** An instance with more bytes of memory is not reused. */
const MAX_SPARE_BYTES = 16 * 1024 * 1024;

let sharedEngine: Promise<VrlEngine> | undefined;

/** Vector Remap Language, with one engine for all programs. It is loaded when the first program is compiled. */
export const Vrl = {
  /** Compiles a program or throws a `VrlCompileError`. A blank source is a program that changes nothing. */
  async compile(source: string, options?: CompileOptions): Promise<VrlProgram> {
    sharedEngine ??= VrlEngine.load().catch(error => {
      sharedEngine = undefined;
      throw error;
    });
    const engine = await sharedEngine;
    return engine.compile(source, options);
  },
};

/** The loaded module. Each of its programs has an instance of its own, and with it a memory of its own. */
export class VrlEngine {
  readonly #module: WebAssembly.Module;
  /** An instance without a program. It is reused, because creating one takes longer than compiling most scripts. */
  #spare: Instance | undefined;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Loads the module that is published with this package, or one that a bundler has put elsewhere. */
  static async load(wasm?: WasmSource): Promise<VrlEngine> {
    return new VrlEngine(await loadModule(wasm));
  }

  /** Compiles a program or throws a `VrlCompileError`. A blank source is a program that changes nothing. */
  compile(source: string, { timeout = 1000 }: CompileOptions = {}): VrlProgram {
    return new VrlProgram(source, {
      compile: () => this.#compile(source, timeout),
      release: ({ instance, id }) => {
        instance.dispose(id);
        this.#recycle(instance);
      },
    });
  }

  #compile(source: string, timeout: number): CompiledProgram {
    const instance = this.#spare ?? new Instance(this.#module);
    this.#spare = undefined;
    try {
      return { instance, id: instance.compile(source, timeout) };
    } catch (thrown) {
      this.#recycle(instance);
      if (thrown instanceof EngineRefusal) throw VrlCompileError.of(thrown.report);
      if (thrown instanceof VrlRuntimeError) throw new VrlCompileError(thrown.message, {}, { cause: thrown });
      throw thrown;
    }
  }

  #recycle(instance: Instance): void {
    if (!instance.isBroken && instance.size <= MAX_SPARE_BYTES) this.#spare = instance;
  }
}

async function loadModule(source: WasmSource = defaultModule()): Promise<WebAssembly.Module> {
  if (!(source instanceof URL)) return WebAssembly.compile(source);
  if (source.protocol === 'file:') return WebAssembly.compile(await readFile(source).catch(missing));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`The engine could not be loaded from '${source}': ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Bundlers that know `new URL` include the module. In a bundle as CommonJS there is no URL to start from. */
function defaultModule(): URL {
  try {
    return new URL('../wasm/vrl.wasm', import.meta.url);
  } catch (error) {
    return missing(error);
  }
}

function missing(cause: unknown): never {
  const hint = 'leave the package external when you bundle, or give the module to VrlEngine.load';
  throw new Error(`The file 'wasm/vrl.wasm' of @a2c-smcp/vrl was not found: ${hint}`, { cause });
}

/** The part of `process` in Node, Deno and Bun that reads files. An import of `node:fs` would break browsers. */
interface Process {
  getBuiltinModule(name: 'fs/promises'): { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
}

async function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { process } = globalThis as unknown as { process: Process };
  return process.getBuiltinModule('fs/promises').readFile(path);
}
