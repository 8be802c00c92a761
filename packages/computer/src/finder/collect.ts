import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import type { Listed, Published } from '../views/published.ts';
import { describeBody, describeDocument } from './describe.ts';

/** Milliseconds after which a catalogue does without the documents whose turn to be read has not come. */
const ENOUGH = 20_000;

const UNREADABLE = 'A document is left out: it could not be read';

/**
 * The documents of all servers, in the order the servers list them. Those whose resource does not say enough are
 * read; a document that cannot be read in time is left out.
 */
export async function collectDocuments(published: Published): Promise<DPEDocumentSummary[]> {
  const listed = await published.list('finder');
  const enough = AbortSignal.timeout(ENOUGH);
  const documents = await Promise.all(
    listed.map(entry => {
      const { docRef, summary, problems } = describeDocument(entry.resource, entry.publisher.server);
      published.report(entry, problems);
      if (summary || docRef === undefined) return summary ?? [];
      return entry.publisher.limiter.run(() => (enough.aborted ? skip() : readDocument(published, entry, docRef)));
    }),
  );
  return documents.flat();
}

async function readDocument(published: Published, entry: Listed, docRef: string): Promise<DPEDocumentSummary[]> {
  const { publisher, resource } = entry;
  const cause = { mcp_server: publisher.server, uri: resource.uri };
  try {
    const { contents } = await publisher.read(resource.uri);
    const list = Array.isArray(contents) ? contents : [];
    const { summary, problems } = describeBody(list, resource, { server: publisher.server, docRef });
    published.warnings.settle(UNREADABLE, cause);
    published.report(entry, problems);
    return [summary];
  } catch (error) {
    published.warnings.warn(UNREADABLE, cause, { error });
    return [];
  }
}

async function skip(): Promise<DPEDocumentSummary[]> {
  return [];
}
