import { setTimeout as delay } from 'node:timers/promises';
import type { JoinRequest } from '../processes/crowd.ts';
import { alternate, type Comparison, type Contestants } from './alternate.ts';
import { Participant, type Usage } from './participant.ts';
import { unlessQuick } from './quick.ts';
import { usageOf } from './usage.ts';

/** A server of any kind, and a process that plays its crowd. */
export class Venue implements AsyncDisposable {
  readonly #server: Participant;
  readonly #crowd: Participant;

  private constructor(server: Participant, crowd: Participant) {
    this.#server = server;
    this.#crowd = crowd;
  }

  static async open(server: Participant): Promise<Venue> {
    return new Venue(server, await Participant.start('crowd', { url: server.greeting }));
  }

  /** Milliseconds until all have joined, and microseconds of the server's CPU for each. */
  async join(request: JoinRequest): Promise<{ time: number; cpu: number }> {
    const before = await usageOf(this.#server);
    const time = await this.#crowd.ask<number>(request);
    return { time, cpu: ((await usageOf(this.#server)).cpu - before.cpu) / request.join };
  }

  /** Milliseconds until a signal of one of the last that joined has reached the others, and microseconds of CPU. */
  async broadcast(): Promise<{ time: number; cpu: number }> {
    const before = await usageOf(this.#server);
    const time = await this.#crowd.ask<number>('broadcast');
    return { time, cpu: (await usageOf(this.#server)).cpu - before.cpu };
  }

  /** Reads the usage of the idle server, a moment later: memory for accepting peers is freed by then. */
  async usage(): Promise<Usage> {
    await usageOf(this.#server, 'usage without garbage');
    await delay(1000);
    return usageOf(this.#server, 'usage without garbage');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#crowd.end(), this.#server.end()]);
  }
}

/** The cost of joined, idle connections for a server. */
export interface ConnectionCosts {
  /** Bytes of each: resident, and of the heap, which is not a number for programs that are not ours. */
  memory: Comparison<'rss' | 'heap'>;
  /** Of one turn: milliseconds, and microseconds of the server's CPU for each that joins. */
  joins: Comparison<'time' | 'cpu'>;
}

/** Those whose memory is counted join in so many turns. */
export const TURNS = 10;
/** With the first ones a server takes memory that the others use as well, so these are not counted. */
const FIRST = unlessQuick(1000, 20);

/** Lets peers join, an Agent and a Computer to an office, to all in turns, and sees what that costs the servers. */
export async function fill(venues: Contestants<Venue>, count: number): Promise<ConnectionCosts> {
  const { baseline, ours, again } = venues;
  const before = new Map<Venue, Usage>();
  for (const venue of [baseline, ours, again]) {
    await venue.join({ join: FIRST, perOffice: 2, atOnce: 100 });
    before.set(venue, await venue.usage());
  }
  const join = (venue: Venue) => () => venue.join({ join: count / TURNS, perOffice: 2, atOnce: 100 });
  const joins = await alternate({ baseline: join(baseline), ours: join(ours), again: join(again) }, TURNS);
  const weigh = (venue: Venue) => async () => {
    const { rss, heapUsed } = await venue.usage();
    const empty = before.get(venue);
    return { rss: (rss - (empty?.rss ?? 0)) / count, heap: (heapUsed - (empty?.heapUsed ?? 0)) / count };
  };
  return { joins, memory: await alternate({ baseline: weigh(baseline), ours: weigh(ours), again: weigh(again) }, 1) };
}
