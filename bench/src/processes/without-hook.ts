import type { LoadHook } from 'node:module';
import type { Edit } from '../harness/without.ts';

let edits: readonly Edit[] = [];

export function initialize(data: readonly Edit[]): void {
  edits = data;
}

/** Loads a module, an edited one with its optimisation taken out. Throws when the source has changed. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  const edit = edits.find(({ module }) => url.endsWith(module));
  if (!edit) return loaded;
  const source = String(loaded.source);
  if (!source.includes(edit.find)) throw new Error(`'${edit.find}' is not in ${edit.module}: adapt the benchmark`);
  return { ...loaded, source: source.replaceAll(edit.find, edit.replace) };
};
