import { setTimeout as delay } from 'node:timers/promises';
import { SoakPeer } from './soak-peer.ts';
import type { Tally } from './tally.ts';

/** Seconds that a call may take. */
const LIMIT = 20;

/** One Agent that calls one Computer, each on any node. */
export class SoakOffice {
  readonly peers: readonly SoakPeer[];
  readonly #name: string;
  readonly #agent: SoakPeer;
  readonly #computer: SoakPeer;
  readonly #tally: Tally;

  private constructor(name: string, agent: SoakPeer, computer: SoakPeer, tally: Tally) {
    this.#name = name;
    this.#agent = agent;
    this.#computer = computer;
    this.#tally = tally;
    this.peers = [agent, computer];
  }

  static async open(name: string, urls: { agent: string; computer: string }, tally: Tally): Promise<SoakOffice> {
    const agent = await SoakPeer.open(urls.agent, { role: 'agent', name: 'a', office_id: name }, tally);
    const computer = await SoakPeer.open(urls.computer, { role: 'computer', name: 'c', office_id: name }, tally);
    computer.socket.on('client:tool_call', (_, ack) => setTimeout(ack, Math.random() * 30, { content: [] }));
    return new SoakOffice(name, agent, computer, tally);
  }

  /** Calls most of the time; now and then the Computer loses its connection, or leaves and comes back. */
  async act(): Promise<void> {
    const dice = Math.random();
    if (dice < 0.96) await this.#call();
    else if (dice < 0.98) this.#computer.loseConnection();
    else await this.#moveOut();
    await delay(Math.random() * 20);
  }

  /** How many of the two are not listed, after 10 s in which they could come back. */
  async missing(): Promise<number> {
    let present = 0;
    for (let attempt = 0; attempt <= 50; attempt++) {
      const request = { agent: 'a', req_id: crypto.randomUUID(), office_id: this.#name };
      const listed = this.#agent.socket.timeout(10_000).emitWithAck('server:list_room', request);
      present = (await listed.catch(() => ({}))).sessions?.length ?? 0;
      if (present === 2) return 0;
      await delay(200);
    }
    return 2 - present;
  }

  close(): void {
    for (const peer of this.peers) peer.close();
  }

  async #call(): Promise<void> {
    const { socket } = this.#agent;
    const tally = this.#tally;
    if (!socket.connected) return;
    const call = { agent: 'a', computer: 'c', req_id: crypto.randomUUID(), tool_name: 't', params: {}, timeout: LIMIT };
    tally.calls += 1;
    let answers = 0;
    await new Promise<void>(resolve => {
      const count = (outcome: 'answered' | 'refused') => {
        answers += 1;
        tally[answers > 1 ? 'twice' : outcome] += 1;
        resolve();
      };
      const onGone = () => count('refused');
      socket.once('disconnect', onGone);
      socket.emit('client:tool_call', call, (result?: { code?: number }) => {
        socket.off('disconnect', onGone);
        count(result?.code === undefined ? 'answered' : 'refused');
      });
      setTimeout(resolve, (LIMIT + 10) * 1000).unref();
    });
  }

  async #moveOut(): Promise<void> {
    if (!this.#computer.socket.connected) return;
    await this.#computer.leave();
    await this.#computer.enter();
  }
}
