import { type CompileOptions, VrlEngine } from './engine.ts';
import type { VrlProgram } from './program.ts';

let shared: Promise<VrlEngine> | undefined;

/** Vector Remap Language, with one engine for all programs, loaded when the first of them is compiled. */
export const Vrl = {
  /** Compiles a program or throws a `VrlCompileError`. A blank source is a program that changes nothing. */
  async compile(source: string, options?: CompileOptions): Promise<VrlProgram> {
    shared ??= VrlEngine.load().catch(error => {
      shared = undefined;
      throw error;
    });
    const engine = await shared;
    return engine.compile(source, options);
  },
};
