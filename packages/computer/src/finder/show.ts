import { sizeOf } from '@a2c-smcp/core';
import { type DPEDocumentSummary, ErrorCode, FINDER_TIMEOUT_MS, type Resource, SmcpError } from '@a2c-smcp/protocol';
import type { ListedResource, ResourceCatalog } from '../resources/catalog.ts';
import { isTimeout } from '../resources/read.ts';
import type { ServerResources } from '../resources/server-resources.ts';
import { type DocumentTraits, describeBody, describeDocument } from './describe.ts';
import { type FinderPage, type FinderQuery, organizeShelves } from './organize.ts';
import { Shelf } from './shelf.ts';

/** Every document is searched for each keyword. */
const MAX_KEYWORDS = 100;
const MAX_KEYWORD_LENGTH = 1000;

/** Characters of the summaries of one MCP server. */
const MAX_SUMMARIES_LENGTH = 64 * 1024 * 1024;

const TOO_MUCH = 'Documents are left out: what the MCP server says of them takes too much';
const UNREADABLE = 'A document is left out: it could not be read';
const LATE = 'A document is shown without its page count: it could not be read in time';

/** One page of the documents of all servers that publish some, those of lately used servers first. */
export async function showFinder(
  catalog: ResourceCatalog,
  query: FinderQuery,
  history: readonly string[],
): Promise<FinderPage> {
  checkKeywords(query.keywords ?? []);
  const { documents, totalCount } = organizeShelves(await collectDocuments(catalog), query, history);
  // Copies: the summaries are cached for the next query.
  return { documents: documents.map(document => ({ ...document })), totalCount };
}

function checkKeywords(keywords: readonly string[]): void {
  if (keywords.length <= MAX_KEYWORDS && keywords.every(({ length }) => length <= MAX_KEYWORD_LENGTH)) return;
  throw new SmcpError(
    ErrorCode.BadRequest,
    `'keywords' must be at most ${MAX_KEYWORDS} of at most ${MAX_KEYWORD_LENGTH} characters`,
  );
}

/**
 * The documents of all servers. Those whose list entry lacks a page count or is stale are read. One that cannot be
 * read is left out, unless it is late and its list entry says 0 pages, which means that they are not counted yet.
 */
async function collectDocuments(catalog: ResourceCatalog): Promise<Shelf[]> {
  const lists = await catalog.list('finder');
  // Documents that are still queued then are not read.
  const limit = AbortSignal.timeout(FINDER_TIMEOUT_MS);
  return Promise.all(lists.map(list => collectFrom(catalog, list, limit)));
}

interface ServerList {
  source: ServerResources;
  resources: readonly Resource[];
}

async function collectFrom(catalog: ResourceCatalog, list: ServerList, limit: AbortSignal): Promise<Shelf> {
  const { source } = list;
  const { documents, shelf } = describeList(catalog, list);
  if (shelf && source.outdated.size === 0) return shelf;
  const found = documents.map(({ summary }) => summary);
  let freeLength = MAX_SUMMARIES_LENGTH;
  const readings = documents.flatMap(({ summary, ...document }, index) => {
    if (summary && !source.outdated.has(document.resource.uri)) return [];
    return source.limiter.run(async () => {
      const read = freeLength < 0 ? undefined : await readDocument(catalog, { source, ...document }, limit);
      freeLength -= sizeOf(read);
      found[index] = freeLength < 0 ? undefined : read;
    });
  });
  await Promise.all(readings);
  if (freeLength < 0) catalog.warnings.warn(TOO_MUCH, { mcp_server: source.server });
  return new Shelf(
    source.server,
    found.filter(summary => summary !== undefined),
  );
}

interface ListedDocument extends Pick<DocumentTraits, 'summary' | 'preliminary'> {
  resource: Resource;
  docRef: string;
}

interface DescribedList {
  documents: readonly ListedDocument[];
  /** All documents, unless some must be read. */
  shelf?: Shelf;
}

/** By list, which is the same array until its server announces a change. */
const describedLists = new WeakMap<readonly Resource[], DescribedList>();

function describeList(catalog: ResourceCatalog, { source, resources }: ServerList): DescribedList {
  const known = describedLists.get(resources);
  if (known) return known;
  const documents = resources.flatMap(resource => {
    const { docRef, summary, preliminary, problems } = describeDocument(resource, source.server);
    catalog.report({ source, resource }, problems);
    return docRef === undefined ? [] : [{ resource, docRef, summary, preliminary }];
  });
  const summaries = documents.flatMap(({ summary }) => summary ?? []);
  const isComplete = summaries.length === documents.length;
  const described = { documents, ...(isComplete ? { shelf: new Shelf(source.server, summaries) } : {}) };
  describedLists.set(resources, described);
  return described;
}

async function readDocument(
  catalog: ResourceCatalog,
  { source, resource, docRef, preliminary }: ListedResource & ListedDocument,
  limit: AbortSignal,
): Promise<DPEDocumentSummary | undefined> {
  const cause = { mcp_server: source.server, uri: resource.uri };
  try {
    limit.throwIfAborted();
    const { contents } = await source.read(resource.uri, { cached: true });
    const list = Array.isArray(contents) ? contents : [];
    const { summary, problems } = describeBody(list, resource, { server: source.server, docRef });
    for (const warning of [UNREADABLE, LATE]) catalog.warnings.settle(warning, cause);
    catalog.report({ source, resource }, problems);
    return summary;
  } catch (error) {
    const shown = limit.aborted || isTimeout(error) ? preliminary : undefined;
    catalog.warnings.warn(shown ? LATE : UNREADABLE, cause, { error });
    return shown;
  }
}
