import type { FinderOptions, FoundPage, SearchResult } from '@a2c-smcp/agent';
import type { Json } from '@a2c-smcp/core';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';
import { hitLines, summaryLines } from '../resources/document-text.ts';
import { numberArgument, textArgument } from './arguments.ts';
import { type BuiltInTool, builtInDefinition } from './built-in.ts';
import { textResult } from './results.ts';

const FIND_TIMEOUT_MS = 20_000;
/** Documents of each Computer, or pages of all, in one answer. */
const PAGE_SIZE = 20;
/** Hits that an Agent returns at most. */
const MAX_HITS = 100;
const MAX_QUERY_LENGTH = 1000;
const MAX_KEYWORDS = 20;

/** Searches the documents of one Computer or of all: pages by their words, or documents by their titles. */
export function findDocumentsTool(access: OfficeAccess): BuiltInTool {
  return {
    definition: builtInDefinition({
      name: 'find_documents',
      title: 'Find documents',
      description:
        'Searches inside documents on the computers, and lists the pages that mention the words, best first, with the ' +
        'URIs for read_document. Without a query, the newest documents.',
      properties: {
        query: { type: 'string', description: 'Words to find; "words in quotes" must follow each other.' },
        computer: { type: 'string', description: 'Only this computer. All of them by default.' },
        file_type: { type: 'string', description: 'As in pdf, xlsx, md.' },
        offset: { type: 'integer', minimum: 0, description: 'Skip so many.' },
      },
    }),
    run(args, signal) {
      return access.request(async agent => {
        const wanted = textArgument(args, 'computer');
        const computers = wanted === undefined ? access.computers(agent) : [access.computer(agent, wanted)];
        if (computers.length === 0) return textResult('No computer is here at the moment.');
        const { query, ...finder } = finderOf(args, signal);
        if (query === '') return textResult((await listOn(agent, computers, finder)).join('\n\n'));
        return textResult((await search(agent, computers, { query, ...finder })).join('\n\n'));
      });
    },
  };
}

type Finder = Pick<FinderOptions, 'keywords' | 'fileType' | 'timeout' | 'signal'> & { offset: number };

function finderOf(args: Json, signal: AbortSignal): Finder & { query: string } {
  const query = (textArgument(args, 'query') ?? '').slice(0, MAX_QUERY_LENGTH).trim();
  const fileType = textArgument(args, 'file_type');
  return {
    query,
    offset: numberArgument(args, 'offset') ?? 0,
    timeout: FIND_TIMEOUT_MS,
    signal,
    ...(fileType !== undefined && { fileType }),
  };
}

/** The pages that mention the query. Documents are found by their titles where nothing was searched, or no page found. */
async function search(
  agent: OfficeAgent,
  computers: readonly string[],
  { query, offset, ...finder }: Finder & { query: string },
): Promise<string[]> {
  const limit = Math.min(offset + PAGE_SIZE, MAX_HITS);
  const result = await agent.searchDocuments(query, { ...finder, computers, limit });
  const byTitle = computers.filter(computer => isIncomplete(result, computer));
  const keywords = query.split(/[\s"]+/).filter(word => word !== '');
  const titled = await listOn(agent, byTitle, { ...finder, keywords: keywords.slice(0, MAX_KEYWORDS), offset });
  return [hitSection(result.found.slice(offset), offset, limit), ...titled, ...remarks(result)];
}

/** True if a document of the Computer may have been missed. */
function isIncomplete({ found, unsearched }: SearchResult, computer: string): boolean {
  return found.length === 0 || unsearched.some(each => each.computer === computer);
}

function hitSection(found: readonly FoundPage[], offset: number, limit: number): string {
  if (found.length === 0) return offset > 0 ? 'No further page mentions these words.' : 'No page mentions these words.';
  const isCut = found.length === limit - offset && limit < MAX_HITS;
  const head = `Pages that mention these words${isCut ? `; more with offset ${limit}` : ''}:`;
  return [head, ...found.map(hitLines)].join('\n');
}

function remarks({ pending, unsearched }: SearchResult): string[] {
  const missed = unsearched.map(({ computer, reason }) => `Computer '${computer}' was not searched inside: ${reason}`);
  const later = pending > 0 ? [`${pending} documents are not indexed yet; search again later to include them.`] : [];
  return [[...missed, ...later].join('\n')].filter(text => text !== '');
}

/** One Computer that fails must not hide the documents of the others. */
function listOn(agent: OfficeAgent, computers: readonly string[], finder: Finder): Promise<string[]> {
  const list = async (computer: string) => {
    try {
      const { documents, totalCount } = await agent.getFinder(computer, { ...finder, limit: PAGE_SIZE });
      const next = finder.offset + documents.length;
      const more = next < totalCount ? `; more with offset ${next}` : '';
      const named = finder.keywords ? ' with such titles' : '';
      const head = `Computer '${computer}': ${totalCount} documents${named}${more}`;
      return [head, ...documents.map(document => summaryLines(computer, document))].join('\n');
    } catch (error) {
      finder.signal?.throwIfAborted();
      return `Computer '${computer}' could not be searched: ${error instanceof Error ? error.message : error}`;
    }
  };
  return Promise.all(computers.map(list));
}
