import { closedLoop, type Pace } from './closed-loop.ts';
import { obey, settings } from './obey.ts';
import { joinThin, thinCaller } from './thin-peer.ts';

/** `thin` speaks frames, `stock` is the ordinary Socket.IO client, `ours` our SDK. A process loads only what it plays. */
export type ClientKind = 'thin' | 'stock' | 'ours';

export interface PeerSettings {
  connections: {
    kind: ClientKind;
    url: string;
    /** One peer for each. */
    offices: string[];
  }[];
}

export interface Load extends Pace {
  /** Characters of each result. */
  size: number;
}

export interface BurstRequest extends Load {
  /** The index of the connection that is used. */
  connection: number;
}

type Caller = (size: number, done: () => void) => void;

const connect = { thin: connectThin, stock: connectStock, ours: connectOurs };
const callers = await Promise.all(
  settings<PeerSettings>().connections.map(({ kind, url, offices }) =>
    Promise.all(offices.map(office => connect[kind](url, office))),
  ),
);

obey('ready', async ({ size, connection, ...pace }: BurstRequest) => {
  const peers = callers[connection] ?? [];
  const results = await Promise.all(peers.map(caller => closedLoop(pace, done => caller(size, done))));
  return {
    calls: results.reduce((sum, { calls }) => sum + calls, 0),
    milliseconds: Math.max(...results.map(result => result.milliseconds)),
    latencies: results.flatMap(({ latencies }) => latencies),
  };
});

async function connectThin(url: string, office: string): Promise<Caller> {
  return thinCaller(await joinThin(url, { role: 'agent', name: 'a', office }), 'a');
}

/** Our Agent asks a Computer for its tools, the shortest way through both that ends at no MCP server. */
async function connectOurs(url: string, office: string): Promise<Caller> {
  const { Agent } = await import('@a2c-smcp/agent');
  const agent = await Agent.connect(url, { name: 'a', office, autoRefresh: [] });
  return async (_, done) => {
    await agent.getTools('c');
    done();
  };
}

async function connectStock(url: string, office: string): Promise<Caller> {
  const { io } = await import('socket.io-client');
  const socket = io(`${url}/smcp`, { transports: ['websocket'] });
  await socket.emitWithAck('server:join_office', { role: 'agent', name: 'a', office_id: office });
  let last = 0;
  return async (_, done) => {
    await socket.timeout(60_000).emitWithAck('client:get_tools', { agent: 'a', computer: 'c', req_id: String(++last) });
    done();
  };
}
