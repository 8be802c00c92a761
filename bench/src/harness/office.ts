import type { McpServerSettings } from '../processes/mcp-server.ts';
import { Participant, type ParticipantOptions } from './participant.ts';
import { startServer } from './servers.ts';

/** Our Server, and in an office of it our Computer with the MCP server of the benchmark; each is a process. */
export class Office implements AsyncDisposable {
  /** May be replaced by another one on the same port. */
  server: Participant;
  readonly computer: Participant;
  readonly #others: Participant[] = [];

  private constructor(server: Participant, computer: Participant) {
    this.server = server;
    this.computer = computer;
  }

  static async open(mcp: McpServerSettings = {}, options: ParticipantOptions = {}): Promise<Office> {
    const server = await startServer('ours', {}, options);
    return new Office(server, await Participant.start('office-computer', { url: server.greeting, mcp }, options));
  }

  get url(): string {
    return String(this.server.greeting);
  }

  /** Starts a process that is told where the office is: an Agent of ours, or another Computer. */
  async enter(name: string, options: ParticipantOptions = {}, more: object = {}): Promise<Participant> {
    const participant = await Participant.start(name, { url: this.url, ...more }, options);
    this.#others.push(participant);
    return participant;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#others, this.computer, this.server].map(participant => participant.end()));
  }
}
