import type { DPEDocumentSummary, Resource } from '@a2c-smcp/protocol';
import { sizeOf } from '../size-of.ts';
import type { Listed, Published, PublishedList } from '../views/published.ts';
import { describeBody, describeDocument } from './describe.ts';
import { Shelf } from './shelf.ts';

/** Milliseconds after which a catalogue does without documents whose turn has not come: a Server waits 30 s for it. */
const ENOUGH = 15_000;

/** Characters of the summaries of one MCP server that are kept. */
const MAX_SUMMARIES_LENGTH = 64 * 1024 * 1024;

const TOO_MUCH = 'Documents are left out: what the MCP server says of them takes too much';
const UNREADABLE = 'A document is left out: it could not be read';

/**
 * The documents of all servers. Those whose resource does not say enough, or that were updated since, are read; a
 * document that cannot be read in time is left out.
 */
export async function collectDocuments(published: Published): Promise<Shelf[]> {
  const lists = await published.lists('finder');
  const enough = AbortSignal.timeout(ENOUGH);
  return Promise.all(lists.map(list => collectFrom(published, list, enough)));
}

async function collectFrom(published: Published, list: PublishedList, enough: AbortSignal): Promise<Shelf> {
  const { publisher } = list;
  const { documents, shelf } = catalogueOf(published, list);
  if (shelf && publisher.outdated.size === 0) return shelf;
  const found = documents.map(({ summary }) => summary);
  let room = MAX_SUMMARIES_LENGTH;
  const readings = documents.flatMap(({ resource, docRef, summary }, place) => {
    if (summary && !publisher.outdated.has(resource.uri)) return [];
    return publisher.limiter.run(async () => {
      const read = room < 0 ? undefined : await readDocument(published, { publisher, resource, docRef }, enough);
      room -= sizeOf(read);
      found[place] = room < 0 ? undefined : read;
    });
  });
  await Promise.all(readings);
  if (room < 0) published.warnings.warn(TOO_MUCH, { mcp_server: publisher.server });
  return new Shelf(
    publisher.server,
    found.filter(summary => summary !== undefined),
  );
}

interface Catalogue {
  documents: readonly { resource: Resource; docRef: string; summary?: DPEDocumentSummary }[];
  /** All of them, unless some must be read. */
  shelf?: Shelf;
}

/** By list, which is the same array until its server announces a change. */
const catalogues = new WeakMap<readonly Resource[], Catalogue>();

function catalogueOf(published: Published, { publisher, resources }: PublishedList): Catalogue {
  const known = catalogues.get(resources);
  if (known) return known;
  const documents = resources.flatMap(resource => {
    const { docRef, summary, problems } = describeDocument(resource, publisher.server);
    published.report({ publisher, resource }, problems);
    return docRef === undefined ? [] : [{ resource, docRef, summary }];
  });
  const summaries = documents.flatMap(({ summary }) => summary ?? []);
  const isComplete = summaries.length === documents.length;
  const catalogue = { documents, ...(isComplete ? { shelf: new Shelf(publisher.server, summaries) } : {}) };
  catalogues.set(resources, catalogue);
  return catalogue;
}

async function readDocument(
  published: Published,
  { publisher, resource, docRef }: Listed & { docRef: string },
  enough: AbortSignal,
): Promise<DPEDocumentSummary | undefined> {
  const cause = { mcp_server: publisher.server, uri: resource.uri };
  try {
    enough.throwIfAborted();
    const { contents } = await publisher.read(resource.uri);
    const list = Array.isArray(contents) ? contents : [];
    const { summary, problems } = describeBody(list, resource, { server: publisher.server, docRef });
    published.warnings.settle(UNREADABLE, cause);
    published.report({ publisher, resource }, problems);
    return summary;
  } catch (error) {
    published.warnings.warn(UNREADABLE, cause, { error });
    return undefined;
  }
}
