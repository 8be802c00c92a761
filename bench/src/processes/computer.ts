import { mcpConfig } from '../harness/mcp-server.ts';
import type { PeerSettings } from './agent.ts';
import { obey, settings } from './obey.ts';
import { answerThin, joinThin } from './thin-peer.ts';

const connect = { thin: connectThin, stock: connectStock, ours: connectOurs };
for (const { kind, url, offices } of settings<PeerSettings>().connections) {
  for (const office of offices) await connect[kind](url, office);
}
obey('ready', () => {});

async function connectThin(url: string, office: string): Promise<void> {
  answerThin(await joinThin(url, { role: 'computer', name: 'c', office }));
}

async function connectOurs(url: string, office: string): Promise<void> {
  const { Computer } = await import('@a2c-smcp/computer');
  const computer = await Computer.open({ name: 'c', servers: { bench: mcpConfig({ tools: 1 }) } });
  await computer.join(url, { office });
}

/** Answers with the one tool that our Computer lists. */
async function connectStock(url: string, office: string): Promise<void> {
  const { io } = await import('socket.io-client');
  const socket = io(`${url}/smcp`, { transports: ['websocket'] });
  const description = 'Part of the benchmark';
  const tools = [{ name: 'echo', description, params_schema: { type: 'object' }, return_schema: null, meta: {} }];
  socket.on('client:get_tools', ({ req_id }, ack) => ack({ tools, req_id }));
  await socket.emitWithAck('server:join_office', { role: 'computer', name: 'c', office_id: office });
}
