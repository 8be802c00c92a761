import { io, type Socket } from 'socket.io-client';

const PAUSE_MS = 10;
const LAG_INTERVAL_MS = 20;

/** An office that works while the Server is attacked, and measures how long its calls take. */
export class WorkingOffice implements Disposable {
  readonly #agent: Socket;
  readonly #computer: Socket;
  #isOpen = true;
  #calls = 0;
  #slowest = 0;
  #asked = performance.now();
  #failure: string | undefined;
  /** How long this process itself could do nothing, in milliseconds, while the current call was in flight. */
  #lag = 0;
  #ticked = performance.now();
  readonly #ticker = setInterval(() => this.#tick(), LAG_INTERVAL_MS);

  private constructor(agent: Socket, computer: Socket) {
    this.#agent = agent;
    this.#computer = computer;
  }

  static async open(url: string): Promise<WorkingOffice> {
    const agent = await join(url, 'agent', 'worker');
    const computer = await join(url, 'computer', 'bench');
    computer.on('client:get_tools', ({ req_id }, ack) => ack({ tools: [], req_id }));
    const office = new WorkingOffice(agent, computer);
    void office.#work();
    return office;
  }

  /** Throws when a call was not answered rightly or in time. */
  check(maxMilliseconds: number): void {
    if (this.#failure !== undefined) throw new Error(this.#failure);
    this.#measure();
    if (this.#slowest > maxMilliseconds) throw new Error(`Another office waited for ${Math.round(this.#slowest)} ms`);
  }

  get summary(): string {
    return `${this.#calls} calls of another office, the slowest in ${Math.round(this.#slowest)} ms`;
  }

  async #work(): Promise<void> {
    while (this.#isOpen && this.#failure === undefined) {
      const req_id = `w${this.#calls++}`;
      this.#asked = performance.now();
      this.#lag = 0;
      try {
        const answer = await this.#agent
          .timeout(60_000)
          .emitWithAck('client:get_tools', { agent: 'worker', computer: 'bench', req_id });
        if (answer?.req_id !== req_id) throw new Error(JSON.stringify(answer));
      } catch (error) {
        if (this.#isOpen) this.#failure = `A call of another office failed: ${error}`;
      }
      this.#measure();
      this.#asked = Number.NaN;
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** How long the current call has taken, without what is the fault of this process. */
  #measure(): void {
    this.#tick();
    const waited = performance.now() - this.#asked - this.#lag;
    if (waited > this.#slowest) this.#slowest = waited;
  }

  #tick(): void {
    const now = performance.now();
    this.#lag += Math.max(0, now - this.#ticked - LAG_INTERVAL_MS);
    this.#ticked = now;
  }

  [Symbol.dispose](): void {
    this.#isOpen = false;
    clearInterval(this.#ticker);
    this.#agent.disconnect();
    this.#computer.disconnect();
  }
}

async function join(url: string, role: string, name: string): Promise<Socket> {
  const socket = io(`${url}/smcp`, { transports: ['websocket'], forceNew: true, reconnection: false });
  await new Promise((resolve, reject) =>
    socket.once('connect', () => resolve(undefined)).once('connect_error', reject),
  );
  const joined = await socket.emitWithAck('server:join_office', { role, name, office_id: 'working' });
  if (joined !== true) throw new Error(`${name} could not join: ${joined}`);
  return socket;
}
