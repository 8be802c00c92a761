import { expect, skip } from '../check.ts';
import { type Line, lineOf } from '../line.ts';
import { within } from '../within.ts';
import { failureOf } from './answers.ts';
import type { Payload, PlayedConnection } from './played-connection.ts';
import { answerOfLine, PlayedServer } from './played-server.ts';
import { ANSWER_MS } from './wait.ts';

/** The settings for an Agent under test. */
export interface AgentStart {
  url: string;
  key: string;
  name: string;
  office: string;
}

export interface AgentCall {
  computer: string;
  tool: string;
  params: Payload;
}

/** The result of a tool as the Agent gives it to its caller. */
export interface AgentResult {
  isError?: unknown;
  content?: Payload[];
}

/** An Agent under test in its office. What it cannot do is absent, and the checks that need it do not apply. */
export interface AgentUnderTest extends AsyncDisposable {
  /** The tools of a Computer, each with its name. */
  tools(computer: string): Promise<readonly { name?: unknown }[]>;
  /** @param seconds how long the tool may run */
  callTool(call: AgentCall, seconds: number): Promise<AgentResult>;
  /** Calls a tool and aborts the call once `running` resolves. */
  callAndCancel?(call: AgentCall, running: Promise<unknown>): Promise<AgentResult>;
  desktop?(computer: string): Promise<readonly string[]>;
  config?(computer: string): Promise<unknown>;
}

/** The settings of the played Server. */
export interface AgentStageOptions {
  office: string;
  /** The key that is admitted. */
  key: string;
  line: Line;
}

/** Connects an Agent and joins; rejects with the reason when it is refused. */
export type ConnectAgent = (start: AgentStart) => Promise<AgentUnderTest>;

/** The name of the played Computer. */
export const COMPUTER = 'desk';
export const TOOL = { name: 'echo', description: 'Echoes', params_schema: { type: 'object' }, return_schema: null };

/** Answers a request of the Agent in the place of a Computer; `SILENCE` answers nothing. */
export type Answer = (request: Payload) => unknown;
export const SILENCE = Symbol('silence');

/** An Agent under test in an office of a played Server, whose Computer is played too. Each check has its own. */
export class AgentStage implements AsyncDisposable {
  readonly server: PlayedServer;
  readonly line: Line;
  /** The answers of the played Computer, by event. */
  readonly answers = new Map<string, Answer>();
  readonly start: AgentStart;
  readonly #connect: ConnectAgent;
  readonly #opened: AgentUnderTest[] = [];

  private constructor(server: PlayedServer, connect: ConnectAgent, office: string, line: Line) {
    this.server = server;
    this.line = line;
    this.#connect = connect;
    this.start = { url: server.url, key: server.policy.key, name: 'conformance-agent', office };
    const computer = { sid: 'computer', name: COMPUTER, role: 'computer' } as const;
    server.residents.push({ ...computer, office_id: office, ...(line !== '0.1' && { a2c_version: `${line}.0` }) });
    server.onConnection = member => this.#serve(member);
    this.answers.set('client:get_tools', ({ req_id }) => ({ tools: [this.tool()], req_id }));
    this.answers.set('client:get_desktop', ({ req_id }) => ({ desktops: [], req_id }));
    this.answers.set('client:get_config', () => ({ servers: {}, inputs: [] }));
    this.answers.set('client:get_skills', ({ req_id }) => ({ skills: [], req_id }));
    this.answers.set('client:tool_call', ({ params }) => textResult(JSON.stringify(params)));
  }

  static async open(connect: ConnectAgent, { office, key, line }: AgentStageOptions): Promise<AgentStage> {
    const server = await PlayedServer.listen(key);
    if (line !== '0.1') server.policy.refusal = { min: `${line}.0`, max: `${line}.999` };
    return new AgentStage(server, connect, office, line);
  }

  /** A tool as Computers of the line list it. */
  tool(): Payload {
    const isNamed = this.line !== '0.1' && this.line !== '0.2';
    return { ...TOOL, meta: {}, ...(isNamed && { bundle_id: 'kit' }) };
  }

  /** Connects an Agent that is to be let in. @param different what it is told in place of the truth */
  async connect(different: Partial<AgentStart> = {}): Promise<{ agent: AgentUnderTest; member: PlayedConnection }> {
    const agent = await this.#connect({ ...this.start, ...different });
    this.#opened.push(agent);
    const member = await this.server.member(({ joined }) => joined?.role === 'agent');
    expect(member !== undefined, 'a join with the role agent', 'no join');
    return { agent, member };
  }

  /** The error that connecting ends with. */
  async refused(different: Partial<AgentStart> = {}): Promise<Error | undefined> {
    const connected = this.#connect({ ...this.start, ...different }).then(agent => void this.#opened.push(agent));
    return failureOf(connected);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#opened.map(agent => within(ANSWER_MS, agent[Symbol.asyncDispose]())));
    await this.server[Symbol.asyncDispose]();
  }

  /** Plays the Computer towards this connection. */
  #serve(member: PlayedConnection): void {
    member.socket.onAny((event: string, request: Payload, ack: unknown) => {
      if (!event.startsWith('client:') || typeof ack !== 'function') return;
      const answer = this.answers.get(event) ?? unsupported(event);
      void (async () => {
        const value = await answer(request);
        if (value === SILENCE) return;
        if (value === undefined) ack();
        else ack(value);
      })();
    });
  }
}

/** The line of an Agent, from the version that it states. */
export async function findAgentLine(connect: ConnectAgent, given: Omit<AgentStageOptions, 'line'>): Promise<Line> {
  await using stage = await AgentStage.open(connect, { ...given, line: '0.1' });
  stage.server.policy.joinAnswer = answerOfLine;
  const { member } = await stage.connect();
  return lineOf(member.version);
}

export function textResult(text: string, isError = false): Payload {
  return { content: [{ type: 'text', text }], isError };
}

/** Calls a method that not every Agent has. */
export function has<T>(method: T | undefined, what: string): T {
  return method ?? skip(`the Agent cannot ${what}`);
}

function unsupported(event: string): Answer {
  const message = `Unsupported event '${event}'`;
  return () => ({ code: 400, message, details: { reason: 'unsupported' }, error: { code: 400, message } });
}
