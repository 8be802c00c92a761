import type { BurstRequest, Load } from '../processes/agent.ts';
import type { LoadResult } from '../processes/closed-loop.ts';
import type { Participant } from './participant.ts';
import { unlessQuick } from './quick.ts';
import { median, quantile } from './statistics.ts';
import { cpuOf } from './usage.ts';

/** Milliseconds. */
const WARM_UP = unlessQuick(1000, 1);

/** The figures of one burst of calls. */
export interface Sample {
  /** Calls per second. */
  rate: number;
  /** Microseconds of the server's CPU per call. */
  cpu: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Servers, and an Agent that calls through them. They stay alive while others are measured. */
export class Stack {
  readonly #servers: readonly Participant[];
  readonly #agent: Participant;
  readonly #connection: number;
  /** How many calls in flight it is warm for. */
  readonly #warm = new Set<number>();

  /** @param connection which one of the Agent's leads to these servers */
  constructor(servers: readonly Participant[], agent: Participant, connection = 0) {
    this.#servers = servers;
    this.#agent = agent;
    this.#connection = connection;
  }

  /** Calls until Node has optimised what it will optimise. One call at a time takes other ways than many. */
  async warmUp({ inFlight }: Load): Promise<void> {
    for (const warm of inFlight === 1 ? [32, 1] : [32]) {
      if (this.#warm.has(warm)) continue;
      this.#warm.add(warm);
      await this.burst({ size: 200, inFlight: warm, milliseconds: WARM_UP });
    }
  }

  async burst(load: Load): Promise<Sample> {
    const before = await this.#cpu();
    const request: BurstRequest = { ...load, connection: this.#connection };
    const { calls, milliseconds, latencies } = await this.#agent.ask<LoadResult>(request);
    const cpu = (await this.#cpu()) - before;
    return {
      rate: (calls / milliseconds) * 1000,
      cpu: cpu / calls,
      p50: median(latencies),
      p99: quantile(latencies, 0.99),
    };
  }

  async #cpu(): Promise<number> {
    const running = this.#servers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
    const times = await Promise.all(running.map(cpuOf));
    return times.reduce((sum, time) => sum + time, 0);
  }
}
