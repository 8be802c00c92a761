import { Contest } from '../harness/compare.ts';
import { Office } from '../harness/office.ts';
import type { ParticipantOptions } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { hasRedis, startRedis } from '../harness/redis.ts';
import { connect, type Relay, relayOn, startOurs } from '../harness/relay.ts';
import { startServer } from '../harness/servers.ts';
import { Stack } from '../harness/stack.ts';
import { type Edit, without } from '../harness/without.ts';
import type { Result, Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

/** Optimisations of the whole path to a tool, and how each is taken out. */
const OF_THE_PATH: Record<string, Edit[]> = {
  "tool calls past the SDK's client": [
    { module: '/computer/dist/mcp/session/session.js', find: 'if (!this.#direct)', replace: 'if (true)' },
  ],
};

/** Optimisations of our clients. */
const OF_PEERS: Record<string, Edit[]> = {
  'merged writes of peers': [
    { module: '/peer/dist/engine-io.js', find: 'if (!corked && !isLone)', replace: 'if (false)' },
  ],
  'messages of peers past Engine.IO': [
    { module: '/peer/dist/engine-io.js', find: "transport.name === 'websocket'", replace: 'false' },
    { module: '/peer/dist/engine-io.js', find: '!ws || !socket?.cork || !isIdle(state)', replace: 'true' },
  ],
};

const SHARED_READS: Edit = {
  module: '/server/dist/wire/frames.js',
  find: 'if (!BUFFER || !CALLBACK',
  replace: 'if (BUFFER',
};
const OUTBOX: Edit = { module: '/server/dist/cluster/outbox.js', find: 'if (this.#maySkip)', replace: 'if (false)' };

/** Every edit, for the test that each still finds its place. */
export const EDITS: readonly Edit[] = [
  ...[...Object.values(OF_THE_PATH), ...Object.values(OF_PEERS)].flat(),
  ...[SHARED_READS, OUTBOX],
];

const LONGER = { milliseconds: 100, rounds: 30, size: 200 };
const ROWS = (name: string): Row[] => [
  { ...LONGER, name: `${name}, one call in flight`, inFlight: 1, show: ['p50'] },
  { ...LONGER, name: `${name}, 32 calls in flight`, inFlight: 32, show: ['rate'] },
];
/** One core for all, so that what a client saves is there for the others. */
const PEER_ROWS = (name: string): Row[] => [
  { name: `${name}, get_tools, one call in flight`, size: 200, inFlight: 1, show: ['p50'] },
  { name: `${name}, get_tools, 64 calls in flight`, size: 200, inFlight: 64, show: ['rate'] },
];
const SERVER_ROWS = (name: string): Row[] => [
  { name: `${name}, 200 B, one call in flight`, size: 200, inFlight: 1, show: ['p50', 'cpu'] },
  { name: `${name}, 200 B, 64 calls in flight`, size: 200, inFlight: 64, show: ['rate', 'cpu'] },
];

/** Measures each optimisation. One that brings less than 10 % of any figure is not worth its code. */
export async function ablation(): Promise<Section> {
  return {
    title: 'One optimisation less',
    method:
      'Ours with all optimisations against ours without one, which is the baseline. Those of the whole path run on all ' +
      'cores, those of clients and of the Server on one. The sources are edited as they are loaded, so that the product has no switch.',
    results: [
      ...(await onAllCores(ofThePath)),
      ...(await ofPeers()),
      ...(await measure(SERVER_ROWS('fast path of the Server'), withoutFastPath)),
      ...(await measure(SERVER_ROWS('one read buffer of the Server'), withoutSharedReads)),
      ...(hasRedis ? await measure(SERVER_ROWS('messages between nodes without receipts'), withoutOutbox) : []),
    ],
  };
}

async function ofThePath(): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, edits] of Object.entries(OF_THE_PATH)) {
    results.push(...(await measure(ROWS(name), () => againstPath(without(edits)))));
  }
  return results;
}

async function ofPeers(): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, edits] of Object.entries(OF_PEERS)) {
    results.push(...(await measure(PEER_ROWS(name), () => againstPeers(without(edits)))));
  }
  return results;
}

async function againstPeers(options: ParticipantOptions): Promise<Contest> {
  const parts: AsyncDisposable[] = [];
  const start = async (more: ParticipantOptions): Promise<Stack> => {
    const relay = await startOurs('ours');
    const { agent, computer } = await connect([relay], 1, more);
    parts.push(agent, computer, ...relay.servers);
    return new Stack(relay.servers, agent);
  };
  const stacks = { baseline: await start(options), ours: await start({}), again: await start({}) };
  return new Contest(stacks, parts);
}

async function againstPath(options: ParticipantOptions): Promise<Contest> {
  const [less, ours, again] = [await Office.open({}, options), await Office.open(), await Office.open()];
  const stacks = {
    baseline: new Stack([less.server], await less.enter('tool-caller', options)),
    ours: new Stack([ours.server], await ours.enter('tool-caller')),
    again: new Stack([again.server], await again.enter('tool-caller')),
  };
  return new Contest(stacks, [less, ours, again]);
}

async function withoutFastPath(): Promise<Contest> {
  const start = async (more: object) => relayOn(await startServer('ours', more));
  return Contest.between({ baseline: await start({ fastPath: false }), ours: await start({}), again: await start({}) });
}

async function withoutSharedReads(): Promise<Contest> {
  const start = async (options: ParticipantOptions) => relayOn(await startServer('ours', {}, options));
  const baseline = await start(without([SHARED_READS]));
  return Contest.between({ baseline, ours: await start({}), again: await start({}) });
}

async function withoutOutbox(): Promise<Contest> {
  const redis = [await startRedis(), await startRedis(), await startRedis()];
  const [less, ours, again] = await Promise.all(
    redis.map(({ url }, index) => startPair(url, index === 0 ? without([OUTBOX]) : {})),
  );
  if (!less || !ours || !again) throw new Error('A pair of nodes is missing');
  return Contest.between({ baseline: less, ours, again }, { others: redis });
}

async function startPair(redis: string, options: ParticipantOptions): Promise<Relay> {
  const [one, two] = [await startServer('ours', { redis }, options), await startServer('ours', { redis }, options)];
  const urls = { agent: String(one.greeting), computer: String(two.greeting) };
  return { servers: [one, two], urls, clients: 'thin' };
}
