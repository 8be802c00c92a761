import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import type { Listed, Published } from '../views/published.ts';
import { describeBody, describeDocument } from './describe.ts';

/** Milliseconds after which a catalogue does without documents whose turn has not come: a Server waits 30 s for it. */
const ENOUGH = 15_000;

const UNREADABLE = 'A document is left out: it could not be read';

/**
 * The documents of all servers, in the order the servers list them. Those whose resource does not say enough, or that
 * were updated since, are read; a document that cannot be read in time is left out.
 */
export async function collectDocuments(published: Published): Promise<DPEDocumentSummary[]> {
  const listed = await published.list('finder');
  const enough = AbortSignal.timeout(ENOUGH);
  const documents = await Promise.all(
    listed.map(entry => {
      const { docRef, summary, problems } = describeDocument(entry.resource, entry.publisher.server);
      published.report(entry, problems);
      if (docRef === undefined) return [];
      if (summary && entry.publisher.isListedAsItIs(entry.resource.uri)) return summary;
      return entry.publisher.limiter.run(() => readDocument(published, { ...entry, docRef }, enough));
    }),
  );
  return documents.flat();
}

async function readDocument(
  published: Published,
  { publisher, resource, docRef }: Listed & { docRef: string },
  enough: AbortSignal,
): Promise<DPEDocumentSummary[]> {
  const cause = { mcp_server: publisher.server, uri: resource.uri };
  try {
    enough.throwIfAborted();
    const { contents } = await publisher.read(resource.uri);
    const list = Array.isArray(contents) ? contents : [];
    const { summary, problems } = describeBody(list, resource, { server: publisher.server, docRef });
    published.warnings.settle(UNREADABLE, cause);
    published.report({ publisher, resource }, problems);
    return [summary];
  } catch (error) {
    published.warnings.warn(UNREADABLE, cause, { error });
    return [];
  }
}
