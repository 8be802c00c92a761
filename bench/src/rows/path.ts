import { Contest } from '../harness/compare.ts';
import { Office } from '../harness/office.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
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

const ALONE = { size: 200, inFlight: 1, show: ['p50'] } satisfies Partial<Row>;
const ROWS: Row[] = [
  { ...ALONE, name: 'one call in flight', rounds: 30, targets: { p50: atMost(2.5) } },
  { name: '32 calls in flight', size: 200, inFlight: 32, show: ['rate'] },
];
const HOPS: Row = { ...ALONE, name: 'the hops of the office alone, one in flight' };

async function measureAll(): Promise<Result[]> {
  const hops = () => Stack.start({ server: 'ours', clients: 'stock' });
  const whole = await measure(ROWS, async () => new Contest(await direct(), await wholePath(), await wholePath()));
  return [...whole, ...(await measure([HOPS], async () => new Contest(await direct(), await hops(), await hops())))];
}

async function direct(): Promise<Stack> {
  return new Stack([], await Participant.start('tool-caller', {}));
}

async function wholePath(): Promise<Stack> {
  const office = await Office.open();
  return new Stack([office.server], await office.enter('tool-caller'), [office.computer]);
}
