import { Office } from '../harness/office.ts';
import { Participant } from '../harness/participant.ts';
import { Stack } from '../harness/stack.ts';
import { atMost } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure } from './measure.ts';

export async function path(): Promise<Section> {
  await using baseline = new Stack([], await Participant.start('tool-caller', {}));
  await using ours = await wholePath();
  await using again = await wholePath();
  const stacks = { baseline, ours, again };
  const alone = { name: 'one call in flight', size: 200, inFlight: 1 };
  const many = { name: '32 calls in flight', size: 200, inFlight: 32, rounds: 5 };
  return {
    title: 'The whole path to a tool',
    method:
      'Our Agent, Server and Computer and an MCP server on stdio, made with the official SDK, four processes. The ' +
      "baseline is the SDK's client with the same MCP server as its child: two processes, one hop instead of three.",
    results: [
      ...(await measure({ ...alone, show: ['p50'], targets: { p50: atMost(2.5) } }, stacks)),
      ...(await measure({ ...many, show: ['rate'] }, stacks)),
    ],
  };
}

async function wholePath(): Promise<Stack> {
  const office = await Office.open();
  return new Stack([office.server], await office.enter('tool-caller'), [office.computer]);
}
