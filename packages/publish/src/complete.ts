import type { Completion } from './published-resources.ts';
import { type DocumentInfo, type DocumentSource, findDocument, listDocuments, openDocument } from './source.ts';

/** The limit of MCP for one answer. */
const MAX_VALUES = 100;
/** Pages that are read to find ids when no page is given. */
const MAX_PAGES = 10;

/** Offers values for an argument of a template by prefix; the arguments before it narrow the choice. */
export async function complete<D extends DocumentInfo>(
  source: DocumentSource<D>,
  argument: { name: string; value: string },
  known: Record<string, string> = {},
): Promise<Completion> {
  const candidates = await candidatesFor(source, argument.name, known);
  const prefix = argument.value.toLowerCase();
  const matches = candidates.filter(candidate => candidate.toLowerCase().startsWith(prefix));
  return { values: matches.slice(0, MAX_VALUES), total: matches.length, hasMore: matches.length > MAX_VALUES };
}

async function candidatesFor<D extends DocumentInfo>(
  source: DocumentSource<D>,
  name: string,
  known: Record<string, string>,
): Promise<readonly string[]> {
  if (name === 'doc_ref') return refsOf(source);
  const { doc_ref: docRef, page_index: pageIndex } = known;
  const document = docRef === undefined ? undefined : await findDocument(source, docRef, {});
  if (document === undefined) return [];
  const opened = await openDocument(source, document, {});
  const { pageCount } = await opened.info({});
  const pages = Array.from({ length: pageCount }, (_, index) => index);
  if (name === 'page_index') return pages.map(String);
  if (name !== 'element_id') return [];
  const chosen = pageIndex === undefined ? pages.slice(0, MAX_PAGES) : pages.filter(page => String(page) === pageIndex);
  const ids: string[] = [];
  for (const index of chosen) ids.push(...((await opened.page(index, {}))?.elements.map(({ id }) => id) ?? []));
  return ids;
}

async function refsOf<D extends DocumentInfo>(source: DocumentSource<D>): Promise<readonly string[]> {
  if (source.refs !== undefined) return source.refs();
  const { documents } = await listDocuments(source, {});
  return documents.map(({ ref }) => ref);
}
