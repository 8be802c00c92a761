import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { now } from './clock.ts';
import { settings } from './obey.ts';

export interface McpServerSettings {
  /** How many of the tools are listed. */
  tools?: number;
  windows?: number;
  documents?: number;
}

/** `echo` returns its text, `change` stamps so many windows with the time, `hang` ends by cancellation and `ended` tells when. */
const TOOLS = ['echo', 'change', 'hang', 'ended'];
const PAGE = 1000;

const { tools = TOOLS.length, windows = 0, documents = 0 } = settings<McpServerSettings>();
const contents = new Map(Array.from({ length: windows }, (_, n) => [`window://bench/${n}`, paragraph(n, 0)]));
const catalogue = Array.from({ length: documents }, (_, n) => ({
  uri: `dpe://bench/document-${n}`,
  name: `Document ${n}`,
  title: `Report ${n} of the bench`,
  mimeType: 'text/markdown',
  _meta: { page_count: 3, file_type: n % 2 === 0 ? 'md' : 'pdf', keywords: [`topic-${n % 100}`] },
}));
const resources = [...[...contents.keys()].map(uri => ({ uri, name: uri })), ...catalogue];
let ended = 0;

serveStdio(() => {
  const capabilities = { tools: {}, resources: { subscribe: true, listChanged: true } };
  const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities });
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.slice(0, tools).map(name => ({
      name,
      description: 'Part of the benchmark',
      inputSchema: { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    if (name === 'hang') await new Promise<void>(resolve => mcpReq.signal.addEventListener('abort', () => resolve()));
    if (name === 'hang') ended = now();
    if (name === 'ended') return text(String(ended));
    if (name !== 'change') return text(String(args.text));
    const changed = [...contents.keys()].slice(0, Number(args.count));
    const stamp = now();
    for (const [n, uri] of changed.entries()) contents.set(uri, `${paragraph(n, stamp)}\n${stamp}`);
    for (const uri of changed) await server.sendResourceUpdated({ uri });
    return text(String(stamp));
  });
  server.setRequestHandler('resources/list', ({ params }) => {
    const start = Number(params?.cursor ?? 0);
    const end = start + PAGE;
    return { resources: resources.slice(start, end), ...(end < resources.length ? { nextCursor: String(end) } : {}) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [{ uri, text: contents.get(uri) ?? '' }],
  }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
});

function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] };
}

function paragraph(window: number, time: number): string {
  return `Window ${window} of the bench, changed at ${time}. `.repeat(20);
}
