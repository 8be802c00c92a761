import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually, within } from './eventually.ts';
import { root } from './paths.ts';
import { openKind } from './peers/open-kind.ts';
import { ours } from './peers/ours.ts';
import type { AgentPeer, Kind } from './peers/peer.ts';
import type { Release } from './releases.ts';
import { type CellReport, cellReport, playStep, type StepReport, secondsSince } from './run-cell.ts';
import { expectPicture } from './story/blobs.ts';
import { expect } from './story/expect.ts';
import { AGENT, type Cell, findTool, mainMcpServer } from './story/scene.ts';

const OFFICE = 'everybody';
const IMAGE_BYTES = 200_000;

/**
 * Brings the Computers of all releases and ours into one office of `a2c server` with its defaults. The Agents of all of
 * them enter it one after the other, and each uses every Computer.
 */
export async function runSharedOffice(
  releases: readonly Release[],
  onReport: (report: CellReport) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'interop-office-'));
  const kinds: Kind[] = [ours()];
  const computers: AsyncDisposable[] = [];
  const server = await startServer();
  try {
    for (const release of releases) kinds.push(await openKind(release));
    const mcpLog = join(folder, 'mcp.log');
    await writeFile(mcpLog, '');
    for (const kind of kinds) {
      const options = { url: server.url, key: '', name: kind.id, servers: [mainMcpServer(mcpLog)] };
      const computer = await kind.openComputer(options);
      computers.push(computer);
      await computer.join(OFFICE);
    }
    for (const kind of kinds) {
      // The seat is free once the Server has noticed that the Agent before is gone.
      const options = { url: server.url, key: '', name: AGENT, office: OFFICE, toolSeconds: 20 };
      await using agent = await eventually(() => kind.connectAgent(options));
      for (const computer of kinds)
        onReport(await useComputer(agent, { agent: kind, server: ours(), computer }, kinds));
    }
  } finally {
    for (const computer of computers) await Promise.resolve(computer[Symbol.asyncDispose]()).catch(() => {});
    for (const kind of kinds) await kind.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function useComputer(agent: AgentPeer, cell: Cell, kinds: readonly Kind[]): Promise<CellReport> {
  const started = performance.now();
  const computer = cell.computer.id;
  const steps: StepReport[] = [];
  const play = async (step: string, run: () => Promise<void>) => void steps.push(await playStep(cell, step, run));
  const call = async (tool: string, params: Record<string, unknown>) => {
    const { name } = findTool(tool, await agent.tools(computer));
    return agent.callTool({ computer, tool: name, params });
  };
  await play('list_room', async () => {
    const names = (await agent.computers()).toSorted().join();
    expect(
      names ===
        kinds
          .map(({ id }) => id)
          .toSorted()
          .join(),
      'all Computers',
      names,
    );
  });
  await play('tool_call', async () => {
    const { content } = await call('echo', { text: computer });
    expect(JSON.parse(String(content[0]?.text)).text === computer, 'what was sent', content);
  });
  if ([cell.agent, cell.computer].every(({ protocolVersion }) => protocolVersion !== undefined)) {
    await play('tool_call: image', async () =>
      expectPicture(await call('picture', { size: IMAGE_BYTES }), IMAGE_BYTES),
    );
  }
  if ([cell.agent, cell.computer].every(({ knows }) => knows.has('uploads'))) {
    await play('upload', async () => {
      const path = String(await agent.upload?.(computer, 'notes.txt', Buffer.from(computer)));
      expect((await readFile(path, 'utf8')) === computer, 'the bytes of the file', path);
    });
  }
  return cellReport(cell, steps, secondsSince(started));
}

/** Milliseconds for the command to start and to end. */
const PATIENCE = 30_000;

async function startServer(): Promise<{ url: string; close(): Promise<void> }> {
  const command = join(root, 'packages/cli/bin/a2c.js');
  const child = spawn(process.execPath, [command, 'server', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill();
    await within(PATIENCE, 'ending the Server', ended);
  };
  try {
    return { url: await within(PATIENCE, 'starting the Server', urlOf(child)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The Server prints nothing');
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The Server did not print its address');
}
