import { Contest } from '../harness/compare.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { unlessQuick } from '../harness/quick.ts';
import { relayOn, startOurs } from '../harness/relay.ts';
import { RUST_RELEASE, rustServer } from '../harness/rust.ts';
import { startServer } from '../harness/servers.ts';
import { fill, TURNS, Venue } from '../harness/venue.ts';
import type { ServerKind } from '../processes/server.ts';
import { atLeast, atMost, compared } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, kibibytes, rounded } from '../report/units.ts';
import { measure, type Row } from './measure.ts';

const CONNECTIONS = unlessQuick(5000, 100);

/** Those loads that it survives. */
const ROWS: Row[] = [
  rowOf(1, 1.1),
  rowOf(8, 1),
  rowOf(64, 1),
  { ...rowOf(1, 1.1), name: '10 kB, 1 in flight', size: 10_000 },
];

function rowOf(inFlight: number, cpu: number): Row {
  return {
    name: `200 B, ${inFlight} in flight`,
    ...{ size: 200, inFlight },
    show: ['rate', 'cpu', 'p50', 'p99'],
    targets: { rate: atLeast(1), cpu: atMost(cpu), p50: atMost(1) },
  };
}

/** Relays that check nothing, to show how much of a call is Node's and not ours. */
const FLOORS: Partial<Record<ServerKind, string>> = { raw: 'a relay on `ws`', bare: 'a relay on bare TCP' };

/** What our checks, limits and metrics add to the floor. */
const BY_FLOOR: Row = {
  name: 'ours by the relay on `ws`, 200 B, 1 in flight',
  ...{ size: 200, inFlight: 1 },
  show: ['rate', 'cpu', 'p50'],
};

/** The same relay against the Server of the official Rust crate. */
export async function rust(): Promise<Section> {
  const title = `A call through the official Rust server ${RUST_RELEASE}`;
  const method =
    'The same thin clients, with the Server of the official crate as baseline: a release build on one thread. With 256 ' +
    'calls in flight it answers some of them with `null`, and with several of 10 kB it drops the Computer, so that ' +
    'these are not compared. The last rows of calls have, in the place of ours, the least that Node does: forty lines on ' +
    '`ws`, and frames taken apart by hand on bare TCP, both without a check, a limit, or a look into a message; then ' +
    'ours with the former as baseline. Memory and joins are measured as under "Many connections".';
  const server = rustServer();
  if ('missing' in server) return { title, method, results: [], skipped: server.missing };
  const { command } = server;
  const results = [...(await calls(command)), ...(await floors(command)), ...(await onAllCores(() => crowd(command)))];
  return { title, method, results };
}

function calls(command: string): Promise<Result[]> {
  return measure(ROWS, async () => {
    const baseline = relayOn(await startRust(command));
    return Contest.between({ baseline, ours: await startOurs(), again: await startOurs() });
  });
}

async function floors(command: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const [kind, name] of Object.entries(FLOORS) as [ServerKind, string][]) {
    const start = async () => relayOn(await startServer(kind));
    const row: Row = { name: `${name}, 200 B, 1 in flight`, size: 200, inFlight: 1, show: ['rate', 'cpu', 'p50'] };
    const open = async () => {
      const baseline = relayOn(await startRust(command));
      return Contest.between({ baseline, ours: await start(), again: await start() });
    };
    results.push(...(await measure([row], open)));
  }
  const open = async () => {
    const baseline = relayOn(await startServer('raw'));
    return Contest.between({ baseline, ours: await startOurs(), again: await startOurs() });
  };
  return [...results, ...(await measure([BY_FLOOR], open))];
}

async function crowd(command: string): Promise<Result[]> {
  const openOurs = async () => Venue.open(await startServer('ours', {}, { execArgv: ['--expose-gc'] }));
  await using baseline = await Venue.open(await startRust(command));
  await using ours = await openOurs();
  await using again = await openOurs();
  const { memory, joins } = await fill({ baseline, ours, again }, CONNECTIONS);
  const words = (time: number) => duration(time * TURNS);
  return [
    compared(memory, { name: 'memory of an idle connection', key: 'rss', words: kibibytes, target: atMost(1) }),
    compared(joins, { name: `accept and join ${rounded(CONNECTIONS)}`, key: 'time', words }),
  ];
}

function startRust(command: string): Promise<Participant> {
  return Participant.startServerCommand(command, [], { RUST_LOG: 'off' });
}
