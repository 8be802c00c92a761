import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { now } from './clock.ts';
import { obey, settings } from './obey.ts';

/** A Computer with the documents server over a folder, from its start to the last page count, as an Agent sees it. */
export interface DocumentListing {
  /** Milliseconds until the Finder of the Agent has all documents. */
  listed: number;
  /** Milliseconds until all pages are counted. */
  counted: number;
  /** The most bytes of memory of the documents server. */
  peak: number;
}

const MEMORY_INTERVAL_MS = 200;
const PAGE = 100;

const { folder, files } = settings<{ folder: string; files: number }>();
const command = fileURLToPath(new URL('../../../packages/documents/bin/a2c-documents.js', import.meta.url));

obey('ready', async (): Promise<DocumentListing> => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using agent = await Agent.connect(server.url, { name: 'a', office: 'bench', autoRefresh: [] });
  const started = now();
  const server_parameters = { command: process.execPath, args: [command, folder, '--no-index'] };
  await using computer = await Computer.open({ name: 'c', servers: { files: { type: 'stdio', server_parameters } } });
  await computer.join(server.url, { office: 'bench' });
  let peak = 0;
  const measure = async () => {
    for (const bytes of (await computer.memory()).values()) peak = Math.max(peak, bytes);
  };
  while ((await agent.getFinder('c', { limit: 1 })).totalCount < files) await delay(10);
  const listed = now() - started;
  while (!(await isCounted(computer))) {
    await measure();
    await delay(MEMORY_INTERVAL_MS);
  }
  const counted = now() - started;
  await measure();
  return { listed, counted, peak };
});

async function isCounted(computer: Computer): Promise<boolean> {
  for (let offset = 0; offset < files; offset += PAGE) {
    const { documents } = await computer.finder({ offset, limit: PAGE });
    if (documents.some(({ page_count }) => page_count === 0)) return false;
  }
  return true;
}
