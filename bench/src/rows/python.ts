import { fileURLToPath } from 'node:url';
import { Participant } from '../harness/participant.ts';
import { findPython, RELEASE } from '../harness/python.ts';
import { Stack } from '../harness/stack.ts';
import type { Result, Section } from '../report/result.ts';
import { atLeast, measure, type Row } from './measure.ts';

const ROWS: Row[] = [
  { name: '200 B, 64 in flight', size: 200, inFlight: 64, show: ['rate'], targets: { rate: atLeast(25) } },
  { name: '10 kB, 32 in flight', size: 10_000, inFlight: 32, show: ['rate'], targets: { rate: atLeast(12) } },
  { name: '1 MB, 4 in flight', size: 1_000_000, inFlight: 4, show: ['rate'], targets: { rate: atLeast(1.5) } },
];

/** The same relay against the Server of the official SDK. */
export async function python(): Promise<Section> {
  const title = `A call through the official Python server ${RELEASE}`;
  const method = 'The same thin clients, with the Server of the official SDK on uvicorn, without its log, as baseline.';
  const command = findPython();
  if (!command) {
    return {
      title,
      method,
      results: [],
      skipped: `no Python with a2c-smcp ${RELEASE}; \`npm run interop\` installs it`,
    };
  }
  const script = fileURLToPath(new URL('../../python/server.py', import.meta.url));
  const server = await Participant.startServerCommand(command, [script], { A2C_SMCP_LOG_SILENT: '1' });
  const url = String(server.greeting);
  await using baseline = await Stack.join([server], { agent: url, computer: url });
  await using ours = await Stack.start({ server: 'ours', clients: 'thin' });
  await using again = await Stack.start({ server: 'ours', clients: 'thin' });
  const results: Result[] = [];
  for (const row of ROWS) results.push(...(await measure({ ...row, rounds: 6 }, { baseline, ours, again })));
  return { title, method, results };
}
