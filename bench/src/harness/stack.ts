import type { BurstRequest, ClientKind, PeerSettings } from '../processes/agent.ts';
import type { LoadResult } from '../processes/closed-loop.ts';
import type { ServerKind } from '../processes/server.ts';
import { Participant, type ParticipantOptions, type Usage } from './participant.ts';
import { median, quantile } from './statistics.ts';

export interface StackSettings {
  server: ServerKind;
  clients: ClientKind;
  /** Pairs of an Agent and a Computer. @default 1 */
  pairs?: number;
}

/** Milliseconds. */
const WARM_UP = 2000;

/** What one burst of calls gave. */
export interface Sample {
  /** Calls per second. */
  rate: number;
  /** Microseconds of the server's CPU per call. */
  cpu: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** An Agent, a Server and a Computer, each a process, that stay alive while others are measured. */
export class Stack implements AsyncDisposable {
  readonly #servers: Participant[];
  readonly #agent: Participant;
  readonly #others: Participant[];
  #isWarm = false;

  constructor(servers: Participant[], agent: Participant, others: Participant[] = []) {
    this.#servers = servers;
    this.#agent = agent;
    this.#others = others;
  }

  static async start({ server: kind, clients, pairs = 1 }: StackSettings): Promise<Stack> {
    const server = await startServer(kind);
    return Stack.join([server], { agent: String(server.greeting), computer: String(server.greeting) }, clients, pairs);
  }

  /** Puts clients to servers that run already. */
  static async join(
    servers: Participant[],
    urls: { agent: string; computer: string },
    kind: ClientKind = 'thin',
    pairs = 1,
  ): Promise<Stack> {
    const offices = Array.from({ length: pairs }, (_, n) => `office-${n}`);
    const settings = (url: string): PeerSettings => ({ kind, url, offices });
    const computer = await Participant.start('computer', settings(urls.computer));
    const agent = await Participant.start('agent', settings(urls.agent));
    return new Stack(servers, agent, [computer]);
  }

  /** Calls until Node has optimised what it will optimise. */
  async warmUp(): Promise<void> {
    if (this.#isWarm) return;
    this.#isWarm = true;
    await this.burst({ size: 200, inFlight: 32, milliseconds: WARM_UP });
  }

  async burst(request: BurstRequest): Promise<Sample> {
    const before = await this.#cpu();
    const { calls, milliseconds, latencies } = await this.#agent.ask<LoadResult>(request);
    const cpu = (await this.#cpu()) - before;
    return {
      rate: (calls / milliseconds) * 1000,
      cpu: cpu / calls,
      p50: median(latencies),
      p99: quantile(latencies, 0.99),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#agent, ...this.#others, ...this.#servers].map(participant => participant.end()));
  }

  async #cpu(): Promise<number> {
    const answering = this.#servers.filter(({ process }) => process.connected);
    const usages = await Promise.all(answering.map(server => server.ask<Usage>('usage')));
    return usages.reduce((sum, { cpu }) => sum + cpu, 0);
  }
}

/** As `a2c server` has it. Without it Node collects all garbage much more often in one process than in its equal. */
const HEAP = '--heap-growing-percent=300';

/** The native masking of WebSockets is part of our Server; others have it only if somebody thinks of it. */
export function startServer(
  kind: ServerKind,
  more: object = {},
  { execArgv = [] }: ParticipantOptions = {},
): Promise<Participant> {
  const env: Record<string, string> = kind === 'ours' ? {} : { WS_NO_BUFFER_UTIL: '1' };
  return Participant.start('server', { kind, ...more }, { env, execArgv: [HEAP, ...execArgv] });
}
