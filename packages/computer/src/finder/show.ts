import { sizeOf } from '@a2c-smcp/core';
import { type DPEDocumentSummary, ErrorCode, FINDER_TIMEOUT_MS, type Resource, SmcpError } from '@a2c-smcp/protocol';
import type { ListedResource, ResourceCatalog } from '../resources/catalog.ts';
import type { Problem, ResourceProblem } from '../warnings.ts';
import { type DocumentTraits, describeBody, describeDocument } from './describe.ts';
import { type FinderPage, type FinderQuery, organizeShelves } from './organize.ts';
import { organizeHits, type SearchServer, type ServerList, searchServers } from './search.ts';
import { Shelf } from './shelf.ts';

/** Every document is searched for each keyword. */
const MAX_KEYWORDS = 100;
const MAX_KEYWORD_LENGTH = 1000;

/** Characters of the summaries of one MCP server. */
const MAX_SUMMARIES_LENGTH = 64 * 1024 * 1024;

const TOO_MUCH = {
  code: 'documents-too-many',
  message: 'Documents are left out: what the MCP server says of them takes too much',
};
const UNREADABLE = { code: 'document-unreadable', message: 'A document is left out: it could not be read' };
const SHADOWED = {
  code: 'document-shadowed',
  message: 'A document is left out: another MCP server has one with the same URI',
};

export interface FinderContext {
  /** Names of the servers whose tools were called, oldest first. */
  history: readonly string[];
  search: SearchServer;
}

/**
 * One page of the documents of all servers that publish some, those of lately used servers first. With `content`, of the
 * pages that mention it, the best first.
 */
export async function showFinder(
  catalog: ResourceCatalog,
  query: FinderQuery,
  { history, search }: FinderContext,
): Promise<FinderPage> {
  checkKeywords(query.keywords ?? []);
  const { onProblem } = query;
  const report = (problem: ResourceProblem) => {
    catalog.report(problem);
    onProblem?.(problem);
  };
  if (onProblem) for (const problem of await catalog.problemsOf('finder')) onProblem(problem);
  const lists = await catalog.list('finder');
  const collected = collectDocuments(catalog, lists, report);
  if (query.content) {
    const [shelves, found] = await Promise.all([collected, searchServers(catalog, lists, { ...query, search })]);
    return organizeHits(shelves, found, query, history);
  }
  const { documents, totalCount } = organizeShelves(await collected, query, history);
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
 * The documents of all servers. Those whose list entry lacks a page count or is stale are read; one that cannot be read
 * is left out.
 */
async function collectDocuments(
  catalog: ResourceCatalog,
  lists: readonly ServerList[],
  report: Report,
): Promise<Shelf[]> {
  // Documents that are still queued then are not read.
  const limit = AbortSignal.timeout(FINDER_TIMEOUT_MS);
  return Promise.all(withoutShadowed(lists, report).map(list => collectFrom(catalog, list, { report, limit })));
}

type Report = (problem: ResourceProblem) => void;

/** Of several servers that list one URI the first is read, so the documents of the others could never be opened. */
function withoutShadowed(lists: readonly ServerList[], report: Report): ServerList[] {
  return lists.map((list, index) => {
    const { source, resources } = list;
    const { hosts } = source.urisOf('finder');
    const rivals = lists.slice(0, index).filter(other => isShared(other.source.urisOf('finder').hosts, hosts));
    const taken = new Set(rivals.flatMap(rival => rival.resources.map(({ uri }) => uri)));
    const readable = taken.size === 0 ? resources : resources.filter(({ uri }) => !taken.has(uri));
    if (readable.length === resources.length) return list;
    for (const { uri } of resources) if (taken.has(uri)) report({ server: source.server, uri, ...SHADOWED });
    return { source, resources: readable };
  });
}

function isShared(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some(host => others.has(host));
}

interface Collecting {
  report: Report;
  /** Ends reading. */
  limit: AbortSignal;
}

async function collectFrom(catalog: ResourceCatalog, list: ServerList, collecting: Collecting): Promise<Shelf> {
  const { source } = list;
  const { documents, shelf, problems } = describeList(list);
  for (const problem of problems) collecting.report(problem);
  if (shelf && source.outdated.size === 0) return shelf;
  const found = documents.map(({ summary }) => summary);
  let freeLength = MAX_SUMMARIES_LENGTH;
  const readings = documents.flatMap(({ summary, ...document }, index) => {
    if (summary && !source.outdated.has(document.resource.uri)) return [];
    return source.limiter.run(async () => {
      const read = freeLength < 0 ? undefined : await readDocument(catalog, { source, ...document }, collecting);
      freeLength -= sizeOf(read);
      found[index] = freeLength < 0 ? undefined : read;
    });
  });
  await Promise.all(readings);
  if (freeLength < 0) collecting.report({ server: source.server, ...TOO_MUCH });
  return new Shelf(
    source.server,
    found.filter(summary => summary !== undefined),
  );
}

interface ListedDocument extends Pick<DocumentTraits, 'summary'> {
  resource: Resource;
  docRef: string;
}

interface DescribedList {
  documents: readonly ListedDocument[];
  /** All documents, unless some must be read. */
  shelf?: Shelf;
  problems: readonly ResourceProblem[];
}

/** By list, which is the same array until its server announces a change. */
const describedLists = new WeakMap<readonly Resource[], DescribedList>();

function describeList({ source: { server }, resources }: ServerList): DescribedList {
  const known = describedLists.get(resources);
  if (known) return known;
  const problems: ResourceProblem[] = [];
  const documents = resources.flatMap(resource => {
    const { docRef, summary, problems: odd } = describeDocument(resource, server);
    problems.push(...odd.map(problem => ({ server, uri: resource.uri, ...problem })));
    return docRef === undefined ? [] : [{ resource, docRef, summary }];
  });
  const summaries = documents.flatMap(({ summary }) => summary ?? []);
  const isComplete = summaries.length === documents.length;
  const described = { documents, problems, ...(isComplete ? { shelf: new Shelf(server, summaries) } : {}) };
  describedLists.set(resources, described);
  return described;
}

async function readDocument(
  catalog: ResourceCatalog,
  { source, resource, docRef }: ListedResource & ListedDocument,
  { report, limit }: Collecting,
): Promise<DPEDocumentSummary | undefined> {
  const { server } = source;
  const cause = { mcp_server: server, uri: resource.uri };
  const note = (problem: Problem) => report({ server, uri: resource.uri, ...problem });
  try {
    limit.throwIfAborted();
    const { contents } = await source.read(resource.uri, { cached: true });
    const list = Array.isArray(contents) ? contents : [];
    const { summary, problems } = describeBody(list, resource, { server, docRef });
    catalog.warnings.settle(UNREADABLE.message, cause);
    problems.forEach(note);
    return summary;
  } catch (error) {
    note({ ...UNREADABLE, fields: { error } });
    return undefined;
  }
}
