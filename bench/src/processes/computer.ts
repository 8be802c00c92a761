import { Computer } from '@a2c-smcp/computer';
import { io } from 'socket.io-client';
import { mcpConfig } from '../harness/mcp-server.ts';
import type { PeerSettings } from './agent.ts';
import { obey, settings, usage } from './obey.ts';
import { answerThin, joinThin } from './thin-peer.ts';

const { kind, url, offices } = settings<PeerSettings>();
const connect = { thin: connectThin, stock: connectStock, ours: connectOurs };
for (const office of offices) await connect[kind](office);
obey('ready', usage);

async function connectThin(office: string): Promise<void> {
  answerThin(await joinThin(url, { role: 'computer', name: 'c', office }));
}

async function connectOurs(office: string): Promise<void> {
  const computer = await Computer.open({ name: 'c', servers: { bench: mcpConfig({ tools: 1 }) } });
  await computer.join(url, { office });
}

/** Answers with the one tool that our Computer lists. */
async function connectStock(office: string): Promise<void> {
  const socket = io(`${url}/smcp`, { transports: ['websocket'] });
  const description = 'Part of the benchmark';
  const tools = [{ name: 'echo', description, params_schema: { type: 'object' }, return_schema: null, meta: {} }];
  socket.on('client:get_tools', ({ req_id }, ack) => ack({ tools, req_id }));
  await socket.emitWithAck('server:join_office', { role: 'computer', name: 'c', office_id: office });
}
