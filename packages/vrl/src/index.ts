export { type CompileOptions, VrlEngine } from './engine.ts';
export { VrlCompileError, type VrlDiagnostic, type VrlFailure, type VrlLabel, VrlRuntimeError } from './errors.ts';
export type { WasmSource } from './load.ts';
export type { RunOptions, RunResult, VrlProgram } from './program.ts';
export type { VrlValue } from './values.ts';
export { Vrl } from './vrl.ts';
