import { alternate } from '../harness/alternate.ts';
import { memoryPerConnection } from '../harness/connections.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { startServer } from '../harness/stack.ts';
import type { CrowdRequest } from '../processes/crowd.ts';
import type { ServerKind } from '../processes/server.ts';
import { atMost, compared, timed } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, rounded } from '../report/units.ts';

const IDLE = 5000;
const CROWD = 1000;

export async function connections(): Promise<Section> {
  return {
    title: 'Many connections',
    method:
      `The peers are thin and play in one process. For the first rows a server is started with \`--expose-gc\`, gets ` +
      `${rounded(IDLE)} connections, 100 at a time, two to an office, and is ended, on all cores; resident memory ` +
      'includes what the collector has not given back. The baseline is a Socket.IO server that puts them into rooms.',
    results: [...(await idle()), ...(await crowds())],
  };
}

async function idle(): Promise<Result[]> {
  const trial = (kind: ServerKind) => async () => {
    await using server = await startServer(kind, {}, { execArgv: ['--expose-gc'] });
    return { ...(await memoryPerConnection(server, { count: IDLE })) };
  };
  const trials = { baseline: trial('obvious'), ours: trial('ours'), again: trial('ours') };
  const comparison = await onAllCores(() => alternate(trials, 2));
  const words = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  return [
    compared(comparison, { name: 'memory of an idle connection', key: 'rss', words, target: atMost(1.15) }),
    compared(comparison, { name: 'its part of the heap', key: 'heap', words }),
    compared(comparison, { name: `accept and join ${rounded(IDLE)}`, key: 'time' }),
    compared(comparison, { name: 'server CPU to accept and join one', key: 'cpu', words: cpu => duration(cpu / 1000) }),
  ];
}

/** Everything that happens to servers that stay alive, each with a crowd of its own. */
async function crowds(): Promise<Result[]> {
  await using baseline = await Venue.open('obvious');
  await using ours = await Venue.open('ours');
  await using again = await Venue.open('ours');
  const storm = (venue: Venue) => () => venue.ask({ join: CROWD, perOffice: 2, atOnce: CROWD });
  const storms = await alternate({ baseline: storm(baseline), ours: storm(ours), again: storm(again) }, 5);
  const hall: CrowdRequest = { join: CROWD, perOffice: CROWD, atOnce: CROWD };
  await baseline.ask(hall);
  const { time } = await ours.ask(hall);
  const signal = (venue: Venue) => () => venue.ask('broadcast');
  // Filling an office takes long: everybody in it hears of everybody who comes. So ours is compared with itself.
  const signals = await alternate({ baseline: signal(baseline), ours: signal(ours), again: signal(ours) }, 20);
  return [
    compared(storms, { name: `${rounded(CROWD)} peers connect and join at once`, key: 'time' }),
    timed('the same in one office, whose members hear of each other', [time]),
    compared(signals, { name: `a signal to the ${rounded(CROWD)} members of an office`, key: 'time' }),
  ];
}

/** A server, and a process that plays the crowd. */
class Venue implements AsyncDisposable {
  readonly #server: Participant;
  readonly #crowd: Participant;

  private constructor(server: Participant, crowd: Participant) {
    this.#server = server;
    this.#crowd = crowd;
  }

  static async open(kind: ServerKind): Promise<Venue> {
    const server = await startServer(kind);
    return new Venue(server, await Participant.start('crowd', { url: server.greeting }));
  }

  async ask(request: CrowdRequest): Promise<{ time: number }> {
    return { time: await this.#crowd.ask<number>(request) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#crowd.end(), this.#server.end()]);
  }
}
