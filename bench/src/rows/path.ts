import { Contest } from '../harness/compare.ts';
import { Office } from '../harness/office.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { connect, startOurs } from '../harness/relay.ts';
import { Stack } from '../harness/stack.ts';
import { atMost } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

export async function path(): Promise<Section> {
  return {
    title: 'The whole path to a tool',
    method:
      'Our Agent, Server and Computer and an MCP server on stdio, made with the official SDK: four processes and six ' +
      "hops for a call. The baseline is the SDK's client with the same MCP server as its child: two processes, two " +
      'hops. Here processes run on all cores, as they do for users. The last row is what the four hops of the office cost ' +
      "alone: Socket.IO's own client through our Server, with nothing behind it.",
    results: await onAllCores(measureAll),
  };
}

/** After a pause a direct call takes half the time until its two processes run on two cores: short bursts show little else. */
const LONGER = { milliseconds: 300, rounds: 4, size: 200 };
const ALONE = { ...LONGER, inFlight: 1, show: ['p50'] } satisfies Partial<Row>;
const ROWS: Row[] = [
  { ...ALONE, name: 'one call in flight', rounds: 8, targets: { p50: atMost(2.5) } },
  { ...LONGER, name: '32 calls in flight', inFlight: 32, show: ['rate'] },
];
const HOPS: Row = { ...ALONE, name: 'the hops of the office alone, one in flight' };

async function measureAll(): Promise<Result[]> {
  return [...(await measure(ROWS, againstWholePath)), ...(await measure([HOPS], againstHops))];
}

async function againstWholePath(): Promise<Contest> {
  const caller = await startCaller();
  const [office, other] = [await Office.open(), await Office.open()];
  const stacks = { baseline: new Stack([], caller), ours: await wholePath(office), again: await wholePath(other) };
  return new Contest(stacks, [caller, office, other]);
}

async function wholePath(office: Office): Promise<Stack> {
  return new Stack([office.server], await office.enter('tool-caller'));
}

async function againstHops(): Promise<Contest> {
  const caller = await startCaller();
  const [ours, again] = [await startOurs('stock'), await startOurs('stock')];
  const { agent, computer } = await connect([ours, again]);
  const stacks = {
    baseline: new Stack([], caller),
    ours: new Stack(ours.servers, agent, 0),
    again: new Stack(again.servers, agent, 1),
  };
  return new Contest(stacks, [caller, agent, computer, ...ours.servers, ...again.servers]);
}

/** The SDK's client, with the MCP server as its child. */
function startCaller(): Promise<Participant> {
  return Participant.start('tool-caller', {});
}
