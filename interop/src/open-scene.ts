import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AGENT,
  type Cell,
  CHOICE,
  COMPUTER,
  libraryServer,
  mainMcpServer,
  type Scene,
  SKILL,
  windowServer,
} from './story/scene.ts';
import { type OnPacket, Wire } from './wire.ts';

export interface SceneOptions {
  /** Listens to the lines of the Agent and of the Computer. */
  onPacket?: { agent: OnPacket; computer: OnPacket };
  /** Seconds for tool calls of Agents that have one limit for all. */
  toolSeconds?: number;
  /** @default random */
  key?: string;
  /** @default random */
  office?: string;
}

/** Brings three peers together in one office. The caller disposes of it. */
export async function openScene(cell: Cell, options: SceneOptions = {}): Promise<Scene & AsyncDisposable> {
  const { onPacket, toolSeconds, key = randomUUID(), office = `office-${randomUUID()}` } = options;
  const opened: AsyncDisposable[] = [];
  const open = <T extends AsyncDisposable>(resource: T): T => {
    opened.unshift(resource);
    return resource;
  };
  const dispose = async () => {
    // A failure to close, as after a crash, must not hide how the story ended.
    for (const resource of opened) await Promise.resolve(resource[Symbol.asyncDispose]()).catch(() => {});
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'interop-'));
    open({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
    const mcpLog = join(folder, 'mcp.log');
    await writeFile(mcpLog, '');
    const skillHome = join(folder, 'skills');
    await writeSkill(join(skillHome, 'user', SKILL.name));
    const server = open(await cell.server.serve({ key }));
    const handles: string[] = [];
    const hear: OnPacket = (from, packet) => {
      for (const [, handle = ''] of packet.matchAll(/"a2c_blob_handle":"([^"]+)"/g)) handles.push(handle);
      onPacket?.agent(from, packet);
    };
    const wires = {
      agent: open(await Wire.open(server.url, hear)),
      computer: open(await Wire.open(server.url, onPacket?.computer)),
    };
    const agent = open(await cell.agent.connectAgent({ url: wires.agent.url, key, name: AGENT, office, toolSeconds }));
    const servers = [
      mainMcpServer(mcpLog),
      ...(cell.computer.knows.has('desktop') ? [windowServer()] : []),
      ...(cell.computer.knows.has('finder') ? [libraryServer()] : []),
    ];
    const computer = open(
      await cell.computer.openComputer({
        url: wires.computer.url,
        key,
        name: COMPUTER,
        servers,
        inputs: [CHOICE],
        skillHome,
      }),
    );
    await computer.join(office);
    return { cell, key, office, server, agent, computer, wires, mcpLog, handles, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function writeSkill(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(SKILL.files)) await writeFile(join(folder, path), content);
}
