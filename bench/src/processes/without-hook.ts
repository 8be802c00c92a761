import type { LoadHook } from 'node:module';
import type { Edit } from '../harness/without.ts';

let edit: Edit | undefined;

export function initialize(data: Edit): void {
  edit = data;
}

/** Loads a module, the edited one with its optimisation taken out. Throws when the source has changed. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  if (!edit || !url.endsWith(edit.module)) return loaded;
  const source = String(loaded.source);
  if (!source.includes(edit.find))
    throw new Error(`'${edit.find}' is not in ${edit.module} any more: adapt the benchmark`);
  return { ...loaded, source: source.replaceAll(edit.find, edit.replace) };
};
