export { type CompileOptions, Vrl, VrlEngine, type WasmSource } from './engine.ts';
export { VrlCompileError, type VrlDiagnostic, type VrlFailure, type VrlLabel, VrlRuntimeError } from './errors.ts';
export type { RunOptions, RunResult, VrlProgram } from './program.ts';
export type { VrlValue } from './values.ts';
