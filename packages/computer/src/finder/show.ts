import { type DPEDocumentSummary, ErrorCode, type Resource, SmcpError } from '@a2c-smcp/protocol';
import type { ListedResource, ResourceCatalog } from '../resources/catalog.ts';
import type { ServerResources } from '../resources/server-resources.ts';
import { sizeOf } from '../size-of.ts';
import { describeBody, describeDocument } from './describe.ts';
import { type FinderPage, type FinderQuery, organizeShelves } from './organize.ts';
import { Shelf } from './shelf.ts';

/** Every document is searched for each keyword. */
const MAX_KEYWORDS = 100;
const MAX_KEYWORD_LENGTH = 1000;

/** After this time documents that are still queued are left out: a Server waits 30 s for the answer. */
const COLLECT_TIMEOUT_MS = 15_000;

/** Characters of the summaries of one MCP server. */
const MAX_SUMMARIES_LENGTH = 64 * 1024 * 1024;

const TOO_MUCH = 'Documents are left out: what the MCP server says of them takes too much';
const UNREADABLE = 'A document is left out: it could not be read';

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
 * The documents of all servers. Those whose list entry lacks a page count or is stale are read; a document that cannot
 * be read in time is left out.
 */
async function collectDocuments(catalog: ResourceCatalog): Promise<Shelf[]> {
  const lists = await catalog.list('finder');
  const limit = AbortSignal.timeout(COLLECT_TIMEOUT_MS);
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
  const readings = documents.flatMap(({ resource, docRef, summary }, index) => {
    if (summary && !source.outdated.has(resource.uri)) return [];
    return source.limiter.run(async () => {
      const read = freeLength < 0 ? undefined : await readDocument(catalog, { source, resource, docRef }, limit);
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

interface DescribedList {
  documents: readonly { resource: Resource; docRef: string; summary?: DPEDocumentSummary }[];
  /** All documents, unless some must be read. */
  shelf?: Shelf;
}

/** By list, which is the same array until its server announces a change. */
const describedLists = new WeakMap<readonly Resource[], DescribedList>();

function describeList(catalog: ResourceCatalog, { source, resources }: ServerList): DescribedList {
  const known = describedLists.get(resources);
  if (known) return known;
  const documents = resources.flatMap(resource => {
    const { docRef, summary, problems } = describeDocument(resource, source.server);
    catalog.report({ source, resource }, problems);
    return docRef === undefined ? [] : [{ resource, docRef, summary }];
  });
  const summaries = documents.flatMap(({ summary }) => summary ?? []);
  const isComplete = summaries.length === documents.length;
  const described = { documents, ...(isComplete ? { shelf: new Shelf(source.server, summaries) } : {}) };
  describedLists.set(resources, described);
  return described;
}

async function readDocument(
  catalog: ResourceCatalog,
  { source, resource, docRef }: ListedResource & { docRef: string },
  limit: AbortSignal,
): Promise<DPEDocumentSummary | undefined> {
  const cause = { mcp_server: source.server, uri: resource.uri };
  try {
    limit.throwIfAborted();
    const { contents } = await source.read(resource.uri, { cached: true });
    const list = Array.isArray(contents) ? contents : [];
    const { summary, problems } = describeBody(list, resource, { server: source.server, docRef });
    catalog.warnings.settle(UNREADABLE, cause);
    catalog.report({ source, resource }, problems);
    return summary;
  } catch (error) {
    catalog.warnings.warn(UNREADABLE, cause, { error });
    return undefined;
  }
}
