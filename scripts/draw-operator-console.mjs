// Makes the picture of a Server's console in docs/guide/console.md: a real Server with busy offices, and Chromium.
//
//   npm run build && node scripts/draw-operator-console.mjs
//   node scripts/draw-operator-console.mjs --all DIR [zh-CN]    every screen, at three widths and in both themes, to look at

import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operatorConsole } from '@a2c-smcp/console/operator';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { openPictures } from './console-pictures.mjs';

const OFFICES = {
  lighthouse: { agent: 'assistant', computers: ['studio', 'till', 'warehouse'] },
  'research lab': { agent: 'planner', computers: ['microscope', 'cluster-01', 'cluster-02'] },
  support: { agent: 'helper', computers: ['front-desk'] },
};
const TOOLS = ['read_file', 'search_documents', 'run_query', 'take_picture', 'list_orders'];
const SCREENS = ['overview', 'offices', 'offices/lighthouse', 'calls', 'moves', 'refusals', 'nodes'];
/** Milliseconds of traffic before the first picture, so that the plots have a minute to show. */
const TRAFFIC_MS = 62_000;

const [, , flag, folder, locale] = process.argv;
const page = operatorConsole();
const server = await SmcpServer.listen({ port: 0, gracePeriod: 0, console: page.console });
page.open([server.url]);
const stop = new AbortController();
const peers = [];
for (const [office, { agent, computers }] of Object.entries(OFFICES)) {
  for (const name of computers) peers.push(await openComputer(office, name));
  const peer = await RawPeer.join(server.url, 'agent', agent, office, { query: { a2c_version: '0.2.0' } });
  peers.push(peer);
  void makeCalls(peer, agent, computers);
}
const stranger = await RawPeer.connect(server.url);
await stranger.enter('agent', 'another', 'lighthouse');
await pause(TRAFFIC_MS);

const pictures = await openPictures(page.issueAddress(), locale);
const visitOf = route => tab => tab.goto(`${server.url}/console/#/${route}`);
if (flag === '--all') {
  const screens = SCREENS.map(route => [route.replaceAll(/\W+/g, '-'), visitOf(route)]);
  await pictures.drawAll(Object.fromEntries(screens), folder);
} else {
  const target = fileURLToPath(new URL('../docs/guide/console', import.meta.url));
  const picture = { name: 'server', theme: 'light', width: 1280, height: 800, visit: visitOf('overview') };
  await pictures.draw(picture, target);
}

stop.abort();
await pictures.close();
for (const peer of [...peers, stranger]) peer.close();
await server.close();

async function openComputer(office, name) {
  const peer = await RawPeer.join(server.url, 'computer', name, office, { query: { a2c_version: '0.2.0' } });
  peer.socket.on('client:tool_call', async (_, answer) => {
    await pause(2 + Math.random() ** 4 * 900);
    answer({ content: [{ type: 'text', text: 'done'.repeat(Math.ceil(Math.random() * 500)) }] });
  });
  peer.socket.on('client:get_desktop', (_, answer) => answer({ desktops: [], req_id: '' }));
  return peer;
}

/** Calls at an uneven pace, some of them to a Computer that is not there. */
async function makeCalls(peer, agent, computers) {
  for (let count = 0; !stop.signal.aborted; count++) {
    const computer = Math.random() < 0.03 ? 'laptop' : computers[count % computers.length];
    const common = { agent, computer, req_id: `${agent}-${count}` };
    const tool_name = TOOLS[Math.floor(Math.random() * TOOLS.length)];
    if (count % 12 === 0) peer.socket.emit('client:get_desktop', common, () => {});
    else peer.socket.emit('client:tool_call', { ...common, tool_name, params: {}, timeout: 30 }, () => {});
    await pause((15 + Math.random() * 60) * (1.4 + Math.sin(Date.now() / 6000)));
  }
}
