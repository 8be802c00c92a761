import type { McpServerStatus } from '@a2c-smcp/computer';
import type { SMCPTool } from '@a2c-smcp/protocol';
import { tokensOf } from '../../output/tools.ts';
import { failedServer } from '../doctor/mcp-advice.ts';
import type { Finding } from '../finding.ts';
import { checkDocuments, type DocumentsReport } from './check-documents.ts';
import { checkTools } from './check-tools.ts';
import { ANNOUNCE_TIMEOUT_MS, checkFreshness, checkWindows, nextChange, type WindowReport } from './check-windows.ts';
import type { Inspected } from './inspected.ts';
import { broken } from './rules.ts';

/** The view that an Agent has of one MCP server, and every fault found in it. */
export interface Report {
  server: Pick<McpServerStatus, 'state' | 'era' | 'instructions'>;
  tools: SMCPTool[];
  /** An estimate of what the tools cost a model in each request. */
  tokens: number;
  windows: WindowReport[];
  documents: Omit<DocumentsReport, 'findings'>;
  findings: Finding[];
}

export async function examine(inspected: Inspected): Promise<Report> {
  const status = await inspected.computer.settled(inspected.name);
  const { state, era, instructions } = status;
  const server = { state, ...(era && { era }), ...(instructions !== undefined && { instructions }) };
  const none = { documents: [], total: 0, walked: { documents: 0, pages: 0, elements: 0 }, leftOut: {} };
  if (state !== 'ready') {
    return { server, tools: [], tokens: 0, windows: [], documents: none, findings: [failed(inspected, status)] };
  }
  const published = await inspected.computer.published(inspected.name);
  const tools = await inspected.tools();
  const { windows, findings: aboutWindows } = await checkWindows(inspected, published);
  const { findings: aboutDocuments, ...documents } = await checkDocuments(inspected, published);
  const findings = [...checkTools(tools), ...checkList(published), ...aboutWindows, ...aboutDocuments];
  return { server, tools, tokens: tokensOf(tools), windows, documents, findings: withoutRepeats(findings) };
}

/** Tests that what `act` changes is announced. @param who the subject of the sentence */
export async function testChange(inspected: Inspected, who: string, act: () => Promise<unknown>): Promise<Finding[]> {
  const stop = new AbortController();
  const changed = nextChange(inspected, stop.signal);
  await act();
  setTimeout(() => stop.abort(), ANNOUNCE_TIMEOUT_MS);
  if (await changed) return [];
  const stale = await checkFreshness(inspected);
  const text = `${who} changed something, and neither a window nor a document was announced as changed`;
  return stale.length > 0 ? stale : [broken('change-unseen', text)];
}

function failed({ computer, name }: Inspected, { error = 'it did not start', stderr }: McpServerStatus): Finding {
  const config = computer.config.servers[name];
  const finding = broken('mcp-failed', `The MCP server did not start: ${error}`, stderr ?? []);
  return config ? { ...finding, remedy: failedServer(config, error) } : finding;
}

function checkList({
  capabilities,
  resources,
}: {
  capabilities: { resources?: { listChanged?: boolean } };
  resources: readonly { uri: string; name?: unknown }[];
}): Finding[] {
  const shown = resources.filter(({ uri }) => /^(window|dpe):\/\//i.test(uri));
  const repeated = shown.filter(({ uri }, index) => shown.findIndex(other => other.uri === uri) < index);
  return [
    ...repeated.map(({ uri }) => broken('resource-duplicate', `'${uri}' is listed twice`)),
    ...shown
      .filter(({ name }) => typeof name !== 'string' || name === '')
      .map(({ uri }) => broken('resource-no-name', `'${uri}' has no name`)),
    ...(shown.length > 0 && capabilities.resources?.listChanged !== true
      ? [broken('list-no-changed', 'Changes of the list are not announced')]
      : []),
  ];
}

/** Desktop and Finder report hosts both. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const texts = new Set<string>();
  return findings.filter(({ code, text }) => {
    const key = `${code} ${text}`;
    if (texts.has(key)) return false;
    texts.add(key);
    return true;
  });
}
