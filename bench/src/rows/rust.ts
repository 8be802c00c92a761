import { Contest } from '../harness/compare.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { relayOn, startOurs } from '../harness/relay.ts';
import { RUST_RELEASE, rustServer } from '../harness/rust.ts';
import { startServer } from '../harness/servers.ts';
import { fill, TURNS, Venue } from '../harness/venue.ts';
import { atMost, compared } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, kibibytes, rounded } from '../report/units.ts';
import { measure, type Row } from './measure.ts';

const CONNECTIONS = 5000;

const SHOWN = { show: ['rate', 'cpu', 'p50', 'p99'] } satisfies Partial<Row>;
/** With 256 in flight, or more than one of 10 kB, it loses answers or drops the Computer. */
const ROWS: Row[] = [
  ...[1, 8, 64].map((inFlight): Row => ({ ...SHOWN, name: `200 B, ${inFlight} in flight`, size: 200, inFlight })),
  { ...SHOWN, name: '10 kB, 1 in flight', size: 10_000, inFlight: 1 },
];

/** The same relay against the Server of the official Rust crate. */
export async function rust(): Promise<Section> {
  const title = `A call through the official Rust server ${RUST_RELEASE}`;
  const method =
    'The same thin clients, with the Server of the official crate as baseline: a release build on one thread. Memory and ' +
    'joins are measured as under "Many connections".';
  const server = rustServer();
  if ('missing' in server) return { title, method, results: [], skipped: server.missing };
  const { command } = server;
  return { title, method, results: [...(await calls(command)), ...(await onAllCores(() => crowd(command)))] };
}

function calls(command: string): Promise<Result[]> {
  return measure(ROWS, async () => {
    const baseline = relayOn(await startRust(command));
    return Contest.between({ baseline, ours: await startOurs(), again: await startOurs() });
  });
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
