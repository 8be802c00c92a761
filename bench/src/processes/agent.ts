import { Agent } from '@a2c-smcp/agent';
import { io } from 'socket.io-client';
import { closedLoop, type Load } from './closed-loop.ts';
import { obey, settings, usage } from './obey.ts';
import { joinThin, thinCaller } from './thin-peer.ts';

/** `thin` speaks frames, `stock` is the ordinary Socket.IO client, `ours` our SDK. */
export type ClientKind = 'thin' | 'stock' | 'ours';

export interface PeerSettings {
  kind: ClientKind;
  url: string;
  /** One peer for each. */
  offices: string[];
}

export interface BurstRequest extends Load {
  /** Characters of each result. */
  size: number;
}

type Caller = (size: number, done: () => void) => void;

const { kind, url, offices } = settings<PeerSettings>();
const connect = { thin: connectThin, stock: connectStock, ours: connectOurs };
const callers = await Promise.all(offices.map(connect[kind]));

obey('ready', async (request: BurstRequest | 'usage') => {
  if (request === 'usage') return usage();
  const { size, inFlight, milliseconds } = request;
  const load = { inFlight, milliseconds };
  const results = await Promise.all(callers.map(caller => closedLoop(load, done => caller(size, done))));
  return {
    calls: results.reduce((sum, { calls }) => sum + calls, 0),
    milliseconds: Math.max(...results.map(result => result.milliseconds)),
    latencies: results.flatMap(({ latencies }) => latencies),
  };
});

async function connectThin(office: string): Promise<Caller> {
  return thinCaller(await joinThin(url, { role: 'agent', name: 'a', office }), 'a');
}

/** Our Agent asks a Computer for its tools, the shortest way through both that ends at no MCP server. */
async function connectOurs(office: string): Promise<Caller> {
  const agent = await Agent.connect(url, { name: 'a', office, autoRefresh: [] });
  return async (_, done) => {
    await agent.getTools('c');
    done();
  };
}

async function connectStock(office: string): Promise<Caller> {
  const socket = io(`${url}/smcp`, { transports: ['websocket'] });
  await socket.emitWithAck('server:join_office', { role: 'agent', name: 'a', office_id: office });
  let last = 0;
  return async (_, done) => {
    await socket.timeout(60_000).emitWithAck('client:get_tools', { agent: 'a', computer: 'c', req_id: String(++last) });
    done();
  };
}
