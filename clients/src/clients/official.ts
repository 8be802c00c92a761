import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { assert, type Checks } from '../check.ts';
import type { Stage } from '../stage.ts';

const PROGRESS_TIMEOUT_MS = 6000;

/** The client of the official TypeScript SDK, in both eras and by both transports. */
export function officialClient(stage: Stage): Checks {
  const checks: Checks = {};
  for (const era of ['2025', '2026'] as const) {
    for (const way of ['stdio', 'HTTP'] as const) {
      checks[`${era}, ${way}: tools, call, cancel, progress, resources, changes`] = () => story(stage, era, way);
    }
  }
  return checks;
}

async function story(stage: Stage, era: '2025' | '2026', way: 'stdio' | 'HTTP'): Promise<string> {
  const options = era === '2026' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'clients', version: '1' }, options);
  await client.connect(transportOf(stage, way));
  try {
    const { tools } = await client.listTools();
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    assert(JSON.stringify(result.content).includes('hello'), 'the call has another result');
    await cancelAfterProgress(client, stage);
    const { resources } = await client.listResources();
    await client.readResource({ uri: resources[0]?.uri ?? '' });
    await changeOfList(client, stage, era);
    return `${client.getNegotiatedProtocolVersion()}, ${tools.length} tools`;
  } finally {
    await client.close();
  }
}

function transportOf({ command: [program, ...args], http }: Stage, way: 'stdio' | 'HTTP') {
  if (way === 'stdio') return new StdioClientTransport({ command: program, args });
  const headers = { authorization: `Bearer ${http.token}` };
  return new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } });
}

async function cancelAfterProgress(client: Client, stage: Stage): Promise<void> {
  const before = stage.cancelled();
  const stop = new AbortController();
  const options = { signal: stop.signal, onprogress: () => stop.abort() };
  const timer = setTimeout(() => stop.abort(new Error('there was no progress')), PROGRESS_TIMEOUT_MS);
  const error: unknown = await client.callTool({ name: 'wait' }, options).catch(reason => reason);
  clearTimeout(timer);
  assert(!String(error).includes('no progress'), 'there was no progress');
  await until(() => stage.cancelled() > before, 'the Computer was not told of the cancellation');
}

async function changeOfList(client: Client, stage: Stage, era: string): Promise<void> {
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  if (era === '2026') await client.listen({ toolsListChanged: true });
  const remove = await stage.addComputer();
  try {
    await until(() => changes > 0, 'the change of the tools was not announced');
  } finally {
    await remove();
  }
}

async function until(condition: () => boolean, problem: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (condition()) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(problem);
}
