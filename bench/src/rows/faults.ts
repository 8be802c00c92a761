import { Office } from '../harness/office.ts';
import type { Participant } from '../harness/participant.ts';
import { unlessQuick } from '../harness/quick.ts';
import { startServer } from '../harness/servers.ts';
import { now } from '../processes/clock.ts';
import type { FaultsRequest } from '../processes/faults-agent.ts';
import type { FleetingRequest } from '../processes/fleeting-computer.ts';
import { atMost, timed } from '../report/lines.ts';
import type { Section } from '../report/result.ts';

export async function faults(): Promise<Section> {
  await using office = await Office.open();
  const agent = await office.enter('faults-agent');
  const fleeting = await office.enter('fleeting-computer');
  const cancelled = await repeat(50, () => ask(agent, 'cancel'));
  const lost = await repeat(20, () => loseComputer(agent, fleeting));
  const back = await repeat(5, () => restart(office, agent));
  return {
    title: 'When things go wrong',
    method:
      'Our Agent, Server and Computer and an MCP server on stdio. A lost Computer destroys its TCP connection when the ' +
      'call arrives. The Server is killed and started again on the same port; peers that have lost it try to come back ' +
      'after pauses of up to 0.8 s.',
    results: [
      timed("the Agent's abort until the MCP server sees it", cancelled),
      timed('a lost Computer until the waiting Agent knows', lost, atMost(50, 'ms')),
      timed('a Server that listens again until Agent and Computer are back', back),
    ],
  };
}

async function loseComputer(agent: Participant, fleeting: Participant): Promise<number> {
  const tell = (request: FleetingRequest) => fleeting.ask<number>(request);
  await tell('join');
  const known = await ask(agent, 'lose');
  return known - (await tell('lost'));
}

async function restart(office: Office, agent: Participant): Promise<number> {
  const back = Promise.all([ask(agent, 'back'), office.computer.ask<number>('back')]);
  const { port } = new URL(office.url);
  await office.server.end();
  office.server = await startServer('ours', { port: Number(port) });
  const listening = now();
  return Math.max(...(await back)) - listening;
}

function ask(agent: Participant, request: FaultsRequest): Promise<number> {
  return agent.ask<number>(request);
}

async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  const measured: number[] = [];
  for (let n = 0; n < unlessQuick(times, 1); n++) measured.push(await measure());
  return measured;
}
