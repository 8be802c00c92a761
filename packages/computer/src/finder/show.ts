import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
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

/** Every document is searched for each keyword. */
const MAX_KEYWORDS = 100;
const MAX_KEYWORD_LENGTH = 1000;

/** One page of the documents of all servers that publish some, those of lately used servers first. */
export async function showFinder(
  published: Published,
  { fileType, ...query }: FinderQuery,
  history: readonly string[],
): Promise<FinderPage> {
  checkKeywords(query.keywords ?? []);
  const shelves = await collectDocuments(published);
  const { documents, totalCount } = organizeShelves(shelves, { ...query, file_type: fileType }, history);
  // The summaries are kept for the next query; what is shown belongs to whoever asked.
  return { documents: documents.map(document => ({ ...document })), totalCount };
}

function checkKeywords(keywords: readonly string[]): void {
  if (keywords.length <= MAX_KEYWORDS && keywords.every(({ length }) => length <= MAX_KEYWORD_LENGTH)) return;
  throw new SmcpError(
    ErrorCode.BadRequest,
    `'keywords' must be at most ${MAX_KEYWORDS} of at most ${MAX_KEYWORD_LENGTH} characters`,
  );
}
