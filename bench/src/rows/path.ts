import { Office } from '../harness/office.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { Stack } from '../harness/stack.ts';
import { atMost } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure } from './measure.ts';

export async function path(): Promise<Section> {
  return {
    title: 'The whole path to a tool',
    method:
      'Our Agent, Server and Computer and an MCP server on stdio, made with the official SDK: four processes and six ' +
      "hops for a call. The baseline is the SDK's client with the same MCP server as its child: two processes, two " +
      'hops. Here processes run on all cores, as they do for users. The second row is what the four hops of the office ' +
      "cost alone: Socket.IO's own client through our Server, with nothing behind it. Nothing that is made with that " +
      'client can be faster than it and the direct call together.',
    results: await onAllCores(measureAll),
  };
}

async function measureAll() {
  await using baseline = new Stack([], await Participant.start('tool-caller', {}));
  await using ours = await wholePath();
  await using again = await wholePath();
  const alone = { name: 'one call in flight', size: 200, inFlight: 1 };
  const many = { name: '32 calls in flight', size: 200, inFlight: 32, rounds: 5 };
  const stacks = { baseline, ours, again };
  const results = await measure({ ...alone, show: ['p50'], targets: { p50: atMost(2.5) } }, stacks);
  await using hops = await Stack.start({ server: 'ours', clients: 'stock' });
  await using otherHops = await Stack.start({ server: 'ours', clients: 'stock' });
  const floor = { baseline, ours: hops, again: otherHops };
  return [
    ...results,
    ...(await measure({ ...alone, name: 'the hops of the office alone, one in flight', show: ['p50'] }, floor)),
    ...(await measure({ ...many, show: ['rate'] }, stacks)),
  ];
}

async function wholePath(): Promise<Stack> {
  const office = await Office.open();
  return new Stack([office.server], await office.enter('tool-caller'), [office.computer]);
}
