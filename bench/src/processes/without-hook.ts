import type { LoadHook } from 'node:module';
import type { Edit } from '../harness/without.ts';

let edits: readonly Edit[] = [];

export function initialize(data: readonly Edit[]): void {
  edits = data;
}

/** Loads a module, an edited one with its optimisation taken out. Throws when the source has changed. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  const due = edits.filter(({ module }) => url.endsWith(module));
  if (due.length === 0) return loaded;
  let source = String(loaded.source);
  for (const { module, find, replace } of due) {
    if (!source.includes(find)) throw new Error(`'${find}' is not in ${module}: adapt the benchmark`);
    source = source.replaceAll(find, replace);
  }
  return { ...loaded, source };
};
