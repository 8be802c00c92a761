import { alternate } from '../harness/alternate.ts';
import { onAllCores } from '../harness/pinning.ts';
import { unlessQuick } from '../harness/quick.ts';
import { startServer } from '../harness/servers.ts';
import { fill, TURNS, Venue } from '../harness/venue.ts';
import type { JoinRequest } from '../processes/crowd.ts';
import type { ServerKind } from '../processes/server.ts';
import { atMost, compared, timed } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, kibibytes, rounded } from '../report/units.ts';

const IDLE = unlessQuick(5000, 100);
const STORM = unlessQuick(500, 20);
const CROWD = unlessQuick(1000, 20);
const STORM_ROUNDS = unlessQuick(10, 1);
const SIGNAL_ROUNDS = unlessQuick(50, 1);

export async function connections(): Promise<Section> {
  return {
    title: 'Many connections',
    method:
      'The peers of a server are thin and play in one process. For the first rows servers run on all cores, with ' +
      `\`--expose-gc\`, and have 1,000 peers already; ${rounded(IDLE)} more join in turns, 100 at a time, two to an office. ` +
      'Resident memory includes what the collector has not given back. The baseline is a Socket.IO server that puts them ' +
      'into rooms.',
    results: [...(await onAllCores(idle)), ...(await crowds())],
  };
}

async function idle(): Promise<Result[]> {
  const open = (kind: ServerKind) => openVenue(kind, ['--expose-gc']);
  await using baseline = await open('obvious');
  await using ours = await open('ours');
  await using again = await open('ours');
  const { memory, joins } = await fill({ baseline, ours, again }, IDLE);
  const target = atMost(1.15);
  return [
    compared(memory, { name: 'memory of an idle connection', key: 'rss', words: kibibytes, target }),
    compared(memory, { name: 'its part of the heap', key: 'heap', words: kibibytes }),
    compared(joins, { name: `accept and join ${rounded(IDLE)}`, key: 'time', words: time => duration(time * TURNS) }),
    compared(joins, { name: 'server CPU to accept and join one', key: 'cpu', words: cpu => duration(cpu / 1000) }),
  ];
}

async function crowds(): Promise<Result[]> {
  await using baseline = await openVenue('obvious');
  await using ours = await openVenue('ours');
  await using again = await openVenue('ours');
  await using least = await openVenue('raw');
  const storm = (venue: Venue) => () => venue.join({ join: STORM, perOffice: 2, atOnce: STORM });
  const storms = await alternate({ baseline: storm(baseline), ours: storm(ours), again: storm(again) }, STORM_ROUNDS);
  const hall: JoinRequest = { join: CROWD, perOffice: CROWD, atOnce: CROWD };
  await baseline.join(hall);
  await least.join(hall);
  const { time, cpu } = await ours.join(hall);
  const signal = (venue: Venue) => () => venue.broadcast();
  // Filling an office takes long: everybody in it hears of everybody who comes. So ours is compared with itself.
  const signals = await alternate(
    { baseline: signal(baseline), ours: signal(ours), again: signal(ours) },
    SIGNAL_ROUNDS,
  );
  const beside = await alternate({ baseline: signal(least), ours: signal(ours), again: signal(ours) }, SIGNAL_ROUNDS);
  return [
    compared(storms, { name: `${rounded(STORM)} peers connect and join at once`, key: 'time' }),
    timed(`${rounded(CROWD)} in one office, whose members hear of each other`, [time], atMost(1000, 'ms')),
    timed('its server CPU', [(cpu * CROWD) / 1000]),
    compared(signals, { name: `a signal to the ${rounded(CROWD)} members of an office`, key: 'time' }),
    compared(signals, { name: 'its server CPU', key: 'cpu', words: micro, target: atMost(0.8) }),
    compared(beside, { name: 'beside a program that only writes the frame', key: 'cpu', words: micro }),
  ];
}

function micro(microseconds: number): string {
  return duration(microseconds / 1000);
}

async function openVenue(kind: ServerKind, execArgv: string[] = []): Promise<Venue> {
  return Venue.open(await startServer(kind, {}, { execArgv }));
}
