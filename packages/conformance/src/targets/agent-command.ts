import { PendingCalls } from '@a2c-smcp/core';
import { NotApplicable } from '../check.ts';
import type { AgentResult, AgentUnderTest, ConnectAgent } from '../stages/agent-stage.ts';
import { Command } from './command.ts';

interface Reply {
  id?: unknown;
  value?: unknown;
  error?: unknown;
  unsupported?: unknown;
}

interface PendingOrder {
  order: string;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Milliseconds for an order beyond the time that it names. */
const ORDER_MS = 20_000;

/** Starts the user's command, which connects Agents and does what lines of JSON tell it to. */
export function agentCommand(words: readonly string[]): ConnectAgent & AsyncDisposable {
  const driver = new AgentDriver(words);
  const connect: ConnectAgent = async start => {
    const agent = driver.name();
    await driver.order('connect', { agent, ...start });
    return driver.agent(agent);
  };
  return Object.assign(connect, { [Symbol.asyncDispose]: () => driver.close() });
}

class AgentDriver {
  readonly #words: readonly string[];
  readonly #pending = new PendingCalls<PendingOrder>({
    // `Number` makes 0 of a missing id.
    firstId: 1,
    onTimeout: ({ order, reject }) => reject(new Error(`The order '${order}' was not answered`)),
  });
  #command: Command | undefined;
  #agents = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  name(): string {
    this.#agents += 1;
    return `agent-${this.#agents}`;
  }

  /** Has the command do something. @param seconds how long it may take on top */
  async order(order: string, fields: object, seconds = 0): Promise<unknown> {
    return this.#send(order, fields, seconds).answer;
  }

  agent(agent: string): AgentUnderTest {
    const call = ({ computer, tool, params }: Parameters<AgentUnderTest['callTool']>[0], seconds: number) =>
      this.#send('call', { agent, computer, tool, params, timeout: seconds }, seconds);
    return {
      tools: async computer => (await this.order('tools', { agent, computer })) as { name?: unknown }[],
      callTool: async (request, seconds) => (await call(request, seconds).answer) as AgentResult,
      callAndCancel: async (request, started) => {
        const { id, answer } = call(request, 20);
        // A command that cannot cancel says so here.
        const cancelled = started.then(() => this.order('cancel', { agent, call: id }));
        await Promise.race([cancelled, answer]);
        return (await answer) as AgentResult;
      },
      desktop: async computer => (await this.order('desktop', { agent, computer })) as string[],
      config: computer => this.order('config', { agent, computer }),
      [Symbol.asyncDispose]: async () => void (await this.order('close', { agent }).catch(() => {})),
    };
  }

  async close(): Promise<void> {
    await this.#command?.[Symbol.asyncDispose]();
  }

  #send(order: string, fields: object, seconds: number): { id: number; answer: Promise<unknown> } {
    this.#command ??= this.#start();
    let id = 0;
    const answer = new Promise<unknown>((resolve, reject) => {
      id = this.#pending.add({ order, resolve, reject }, ORDER_MS + seconds * 1000);
    });
    this.#command.write(JSON.stringify({ id, order, ...fields }));
    return { id, answer };
  }

  #start(): Command {
    const command = new Command(this.#words, {}, line => this.#read(line));
    void command.ended.then(error => {
      // The next order starts it again.
      if (this.#command === command) this.#command = undefined;
      for (const { reject } of this.#pending.takeAll()) reject(error);
    });
    return command;
  }

  /** Output that is not an answer counts as a log line of the command. */
  #read(line: string): void {
    try {
      const reply: unknown = JSON.parse(line);
      if (typeof reply === 'object' && reply !== null) this.#settle(reply);
    } catch {
      // No JSON.
    }
  }

  #settle({ id, value, error, unsupported }: Reply): void {
    const pending = this.#pending.take(Number(id));
    if (unsupported) pending?.reject(new NotApplicable('the command says that it cannot do this'));
    else if (error === undefined || error === null) pending?.resolve(value);
    else pending?.reject(new Error(typeof error === 'string' ? error : JSON.stringify(error)));
  }
}
