import { fileURLToPath } from 'node:url';
import { alternate } from '../harness/alternate.ts';
import { Contest } from '../harness/compare.ts';
import { memoryPerConnection } from '../harness/connections.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { findPython, RELEASE } from '../harness/python.ts';
import { Stack, startServer } from '../harness/stack.ts';
import { atLeast, atMost, compared } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { rounded } from '../report/units.ts';
import { measure, type Row } from './measure.ts';

const CONNECTIONS = 5000;

const ROWS: Row[] = [
  { name: '200 B, 64 in flight', size: 200, inFlight: 64, show: ['rate'], targets: { rate: atLeast(25) } },
  { name: '10 kB, 32 in flight', size: 10_000, inFlight: 32, show: ['rate'], targets: { rate: atLeast(12) } },
  {
    name: '1 MB, 4 in flight',
    size: 1_000_000,
    inFlight: 4,
    milliseconds: 400,
    rounds: 5,
    show: ['rate'],
    targets: { rate: atLeast(1.5) },
  },
];

/** The same relay against the Server of the official SDK. */
export async function python(): Promise<Section> {
  const title = `A call through the official Python server ${RELEASE}`;
  const method =
    'The same thin clients, with the Server of the official SDK on uvicorn, without its log, as baseline. Memory is ' +
    'measured on all cores, since collectors of garbage need them.';
  const command = findPython();
  if (!command) {
    return {
      title,
      method,
      results: [],
      skipped: `no Python with a2c-smcp ${RELEASE}; \`npm run interop\` installs it`,
    };
  }
  return { title, method, results: [...(await calls(command)), await memory(command)] };
}

function calls(command: string): Promise<Result[]> {
  const ours = () => Stack.start({ server: 'ours', clients: 'thin' });
  return measure(ROWS, async () => {
    const server = await startPython(command);
    const url = String(server.greeting);
    const baseline = await Stack.join([server], { agent: url, computer: url });
    return new Contest(baseline, await ours(), await ours());
  });
}

async function memory(command: string): Promise<Result> {
  const trial = (start: () => Promise<Participant>) => async () => {
    await using server = await start();
    const { rss } = await memoryPerConnection(server, { count: CONNECTIONS });
    return { rss };
  };
  const ours = trial(() => startServer('ours', {}, { execArgv: ['--expose-gc'] }));
  const trials = { baseline: trial(() => startPython(command)), ours, again: ours };
  const comparison = await onAllCores(() => alternate(trials, 1));
  const words = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  const name = `memory of an idle connection, of ${rounded(CONNECTIONS)}`;
  return compared(comparison, { name, key: 'rss', words, target: atMost(0.4) });
}

function startPython(command: string): Promise<Participant> {
  const script = fileURLToPath(new URL('../../python/server.py', import.meta.url));
  return Participant.startServerCommand(command, [script], { A2C_SMCP_LOG_SILENT: '1' });
}
