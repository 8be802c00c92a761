import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScene } from './open-scene.ts';
import { interopFolder, root } from './paths.ts';
import { openKind } from './peers/open-kind.ts';
import { ours } from './peers/ours.ts';
import { idOf, type Release } from './releases.ts';
import { type Cell, COMPUTER, mcpServer, nameOf, type Scene } from './story/scene.ts';
import type { Sender } from './wire.ts';

/** A Socket.IO packet that passed between a peer and the Server. */
export interface Frame {
  peer: 'agent' | 'computer';
  from: Sender;
  packet: string;
}

/** The packets of an uneventful office, in order. */
export interface Recording {
  release: string;
  protocolVersion?: string;
  key: string;
  office: string;
  frames: Frame[];
}

const KEY = 'golden-key';
const OFFICE = 'golden-office';

/** Records what clients of a release say to our Server, and what a Server of it says to our clients. */
export async function record(release: Release): Promise<void> {
  const theirs = await openKind(release);
  const own = ours();
  try {
    await write(release, 'clients', { agent: theirs, server: own, computer: theirs });
    await write(release, 'server', { agent: own, server: theirs, computer: own });
  } finally {
    await theirs.close();
  }
}

async function write(release: Release, side: string, cell: Cell): Promise<void> {
  const frames: Frame[] = [];
  const listen = (peer: Frame['peer']) => (from: Sender, packet: string) => {
    // Of Engine.IO's packets only the messages carry Socket.IO; the rest keeps the connection.
    if (packet.startsWith('4')) frames.push({ peer, from, packet: withoutPaths(packet) });
  };
  const onPacket = { agent: listen('agent'), computer: listen('computer') };
  {
    await using scene = await openScene(cell, { onPacket, key: KEY, office: OFFICE });
    await talk(scene);
  }
  const { version, protocolVersion } = release;
  const recording: Recording = { release: version, protocolVersion, key: KEY, office: OFFICE, frames };
  const folder = join(interopFolder, 'fixtures');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${idOf(release)}-${side}.json`), `${JSON.stringify(recording, null, 2)}\n`);
}

/** The part of the story in which nothing goes wrong. */
async function talk(scene: Scene): Promise<void> {
  const { agent, computer, cell } = scene;
  await agent.hearing.next('enter');
  await agent.hearing.next('tools');
  await agent.computers();
  await agent.callTool({ computer: COMPUTER, tool: await nameOf('echo', scene), params: { text: 'grüße' } });
  await agent.callTool({ computer: COMPUTER, tool: await nameOf('fail', scene) });
  await agent.callTool({ computer: COMPUTER, tool: 'no-such-tool' });
  if (cell.computer.knows.has('desktop')) await agent.desktop(COMPUTER, { size: 1 });
  if (cell.server.id !== 'python-0.1.2') await agent.config(COMPUTER);
  await computer.addServer(mcpServer('second', { tools: ['another'] }));
  await agent.hearing.next('changed-config');
  await agent.hearing.next('tools');
  // Our Agent reads again what it has read before; what it asks for when the Computer is gone would be recorded as lost.
  if (cell.agent.id === 'ours' && cell.server.id !== 'python-0.1.2') await agent.hearing.next('config');
  await computer.leave();
  await agent.hearing.next('leave');
}

/** A recording is the same on every machine. */
function withoutPaths(packet: string): string {
  return packet
    .replaceAll(process.execPath, 'node')
    .replaceAll(root, '/repository/')
    .replaceAll(/\/[\w/]*interop-\w{6}/g, '/tmp');
}
