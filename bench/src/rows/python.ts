import { fileURLToPath } from 'node:url';
import { Contest } from '../harness/compare.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { findPython, RELEASE } from '../harness/python.ts';
import { unlessQuick } from '../harness/quick.ts';
import { relayOn, startOurs } from '../harness/relay.ts';
import { startServer } from '../harness/servers.ts';
import { fill, Venue } from '../harness/venue.ts';
import { atLeast, atMost, compared } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { kibibytes, rounded } from '../report/units.ts';
import { measure, type Row } from './measure.ts';

/** Fewer than elsewhere, since its server takes long to let them in. */
const CONNECTIONS = unlessQuick(2000, 100);

const ROWS: Row[] = [
  { name: '200 B, 64 in flight', size: 200, inFlight: 64, show: ['rate'], targets: { rate: atLeast(25) } },
  { name: '10 kB, 32 in flight', size: 10_000, inFlight: 32, show: ['rate'], targets: { rate: atLeast(12) } },
  {
    name: '1 MB, 4 in flight',
    size: 1_000_000,
    inFlight: 4,
    milliseconds: 100,
    rounds: 16,
    show: ['rate'],
    targets: { rate: atLeast(1.5) },
  },
];

/** The same relay against the Server of the official SDK. */
export async function python(): Promise<Section> {
  const title = `A call through the official Python server ${RELEASE}`;
  const method =
    'The same thin clients, with the Server of the official SDK on uvicorn, without its log, as baseline. Memory is ' +
    'measured as under "Many connections".';
  const command = findPython();
  if (!command) {
    return {
      title,
      method,
      results: [],
      skipped: `no Python with a2c-smcp ${RELEASE}; \`npm run interop\` installs it`,
    };
  }
  return { title, method, results: [...(await calls(command)), await onAllCores(() => memory(command))] };
}

function calls(command: string): Promise<Result[]> {
  return measure(ROWS, async () => {
    const baseline = relayOn(await startPython(command));
    return Contest.between({ baseline, ours: await startOurs(), again: await startOurs() });
  });
}

async function memory(command: string): Promise<Result> {
  const openOurs = async () => Venue.open(await startServer('ours', {}, { execArgv: ['--expose-gc'] }));
  await using baseline = await Venue.open(await startPython(command));
  await using ours = await openOurs();
  await using again = await openOurs();
  const { memory } = await fill({ baseline, ours, again }, CONNECTIONS);
  const name = `memory of an idle connection, of ${rounded(CONNECTIONS)}`;
  return compared(memory, { name, key: 'rss', words: kibibytes, target: atMost(0.4) });
}

function startPython(command: string): Promise<Participant> {
  const script = fileURLToPath(new URL('../../python/server.py', import.meta.url));
  return Participant.startServerCommand(command, [script], { A2C_SMCP_LOG_SILENT: '1' });
}
