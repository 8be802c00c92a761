import type { Published } from '../views/published.ts';
import { collectDocuments } from './collect.ts';
import { type FinderPage, organizeShelves } from './organize.ts';

/** What to show of the catalogue of documents. */
export interface FinderQuery {
  /** Documents that mention any of these in their title, keywords or summary. */
  keywords?: readonly string[];
  /** As in `xlsx`. */
  fileType?: string;
  /** @default 0 */
  offset?: number;
  /** More than 100 counts as 100. @default 20 */
  limit?: number;
}

/** One page of the documents of all servers that publish some, those of lately used servers first. */
export async function showFinder(
  published: Published,
  { fileType, ...query }: FinderQuery,
  history: readonly string[],
): Promise<FinderPage> {
  const shelves = await collectDocuments(published);
  const { documents, totalCount } = organizeShelves(shelves, { ...query, file_type: fileType }, history);
  // The summaries are kept for the next query; what is shown belongs to whoever asked.
  return { documents: documents.map(document => ({ ...document })), totalCount };
}
