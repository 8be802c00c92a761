import type { DocumentLibrary } from './library.ts';

/** The limit of MCP for one answer. */
const MAX_VALUES = 100;
/** Pages that are parsed to find ids when no page is given. */
const MAX_PAGES = 10;

export interface Completion {
  values: string[];
  total: number;
  hasMore: boolean;
}

/** Offers values for an argument of a template by prefix; the arguments before it narrow the choice. */
export async function complete(
  library: DocumentLibrary,
  argument: { name: string; value: string },
  known: Record<string, string> = {},
): Promise<Completion> {
  const candidates = await candidatesFor(library, argument.name, known);
  const prefix = argument.value.toLowerCase();
  const matches = candidates.filter(candidate => candidate.toLowerCase().startsWith(prefix));
  return { values: matches.slice(0, MAX_VALUES), total: matches.length, hasMore: matches.length > MAX_VALUES };
}

async function candidatesFor(library: DocumentLibrary, name: string, known: Record<string, string>): Promise<string[]> {
  if (name === 'doc_ref') return library.docRefs;
  const { doc_ref: docRef, page_index: pageIndex } = known;
  if (docRef === undefined) return [];
  const entry = await library.find(docRef).catch(() => undefined);
  if (entry === undefined) return [];
  const { pageCount } = await library.synopsis(entry.file);
  const pages = Array.from({ length: pageCount }, (_, index) => index);
  if (name === 'page_index') return pages.map(String);
  if (name !== 'element_id') return [];
  const chosen = pageIndex === undefined ? pages.slice(0, MAX_PAGES) : pages.filter(page => String(page) === pageIndex);
  const ids: string[] = [];
  for (const page of chosen) ids.push(...(await library.elementIds(entry, page)));
  return ids;
}
