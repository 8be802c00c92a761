/** Where the engine is, or its bytes. */
export type WasmSource = URL | BufferSource;

/** Without a source, loads the file that is published with this package; bundlers that know `new URL` carry it along. */
export async function loadModule(
  source: WasmSource = new URL('../wasm/vrl.wasm', import.meta.url),
): Promise<WebAssembly.Module> {
  if (!(source instanceof URL)) return WebAssembly.compile(source);
  if (source.protocol === 'file:') return WebAssembly.compile(await readFile(source));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`The engine could not be loaded from '${source}': ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** What Node, Deno and Bun offer under this name. An import would reach browsers. */
interface Process {
  getBuiltinModule(name: 'fs/promises'): { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
}

async function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { process } = globalThis as unknown as { process: Process };
  return process.getBuiltinModule('fs/promises').readFile(path);
}
