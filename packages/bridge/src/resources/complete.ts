import { parseDpeUri } from '@a2c-smcp/protocol';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';

/** The limit of MCP for one answer. */
const MAX_VALUES = 100;
const TIMEOUT_MS = 5000;

export interface Completion {
  values: string[];
  total: number;
  hasMore: boolean;
}

/** Values for a variable of a resource template that begin with what was typed; `known` are the other variables. */
export async function completeVariable(
  access: OfficeAccess,
  argument: { name: string; value: string },
  known: Record<string, string>,
): Promise<Completion> {
  const candidates = await candidatesFor(access, argument.name, known);
  const prefix = argument.value.toLowerCase();
  const matches = [...new Set(candidates)].filter(candidate => candidate.toLowerCase().startsWith(prefix));
  return { values: matches.slice(0, MAX_VALUES), total: matches.length, hasMore: matches.length > MAX_VALUES };
}

async function candidatesFor(access: OfficeAccess, name: string, known: Record<string, string>): Promise<string[]> {
  const agent = await access.agent();
  if (name === 'computer') return access.computers(agent);
  const computer = access.computer(agent, known.computer);
  const documents = await documentsOf(agent, computer);
  if (name === 'host') return documents.map(({ host }) => host);
  const ofHost = documents.filter(({ host }) => known.host === undefined || host === known.host);
  if (name === 'document') return ofHost.map(({ docRef }) => docRef);
  const document = ofHost.find(({ docRef }) => docRef === known.document);
  if (!document) return [];
  if (name === 'page') return Array.from({ length: document.pages }, (_, page) => String(page));
  if (name !== 'element') return [];
  const page = await agent.readPage(computer, document.uri, Number(known.page ?? 0), { timeout: TIMEOUT_MS });
  return page.elements.map(({ element_id }) => element_id);
}

async function documentsOf(agent: OfficeAgent, computer: string) {
  const { documents } = await agent.getFinder(computer, { limit: 100, timeout: TIMEOUT_MS });
  return documents.map(({ uri, page_count: pages }) => {
    const { host, docRef = '' } = parseDpeUri(uri);
    return { uri, host, docRef, pages };
  });
}
