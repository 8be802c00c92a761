import { randomUUID } from 'node:crypto';
import { expect, Mismatch, skip } from '../check.ts';
import { type Line, lineOf, versionOf } from '../line.ts';
import { codeOf } from './answers.ts';
import { type Fixture, openFixture } from './fixture.ts';
import type { Payload, PlayedConnection } from './played-connection.ts';
import { PlayedServer } from './played-server.ts';

/** The settings for a Computer under test. */
export interface ComputerStart {
  url: string;
  key: string;
  name: string;
  office: string;
  fixture: Omit<Fixture, 'received'>;
}

/** A Computer that was started. */
export interface ComputerUnderTest extends AsyncDisposable {
  /** Resolves if it ends by itself. */
  ended?: Promise<Error>;
}

/** Starts the Computer under test, which must then join the office within 30 s. */
export type OpenComputer = (start: ComputerStart) => Promise<ComputerUnderTest>;

export interface ToolResult {
  content?: Payload[];
  isError?: unknown;
  structuredContent?: unknown;
  meta?: Payload | null;
  _meta?: Payload | null;
}

export interface ListedTool {
  name: string;
  description?: unknown;
  params_schema?: unknown;
  return_schema?: unknown;
  meta?: Payload | null;
  bundle_id?: unknown;
}

/** The settings of a played Server. */
export interface StageOptions {
  office: string;
  /** The key that is admitted. */
  key: string;
  line?: Line | undefined;
}

const AGENT = 'conformance-agent';
const JOIN_MS = 30_000;
/** After a lost connection; then it is started again. */
const REJOIN_MS = 5000;

/** A Computer under test in an office of a played Server, whose Agent is played too. */
export class ComputerStage implements AsyncDisposable {
  readonly server: PlayedServer;
  readonly fixture: Fixture;
  readonly start: ComputerStart;
  line: Line = '0.1';
  readonly #open: OpenComputer;
  #target: ComputerUnderTest | undefined;

  private constructor(server: PlayedServer, fixture: Fixture, office: string, open: OpenComputer) {
    const name = `desk-${randomUUID().slice(0, 8)}`;
    this.server = server;
    this.fixture = fixture;
    this.start = { url: server.url, key: server.policy.key, name, office, fixture };
    this.#open = open;
  }

  /** @throws if the Computer does not join */
  static async open(open: OpenComputer, { office, key, line }: StageOptions): Promise<ComputerStage> {
    const server = await PlayedServer.listen(key);
    const stage = new ComputerStage(server, await openFixture(), office, open);
    if (line !== undefined && line !== '0.1') server.policy.refusal = { min: `${line}.0`, max: `${line}.999` };
    try {
      stage.line = line ?? lineOf((await stage.computer()).version);
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The Computer in its office, started again if it does not return by itself. */
  async computer(): Promise<PlayedConnection> {
    const isIt = ({ joined }: PlayedConnection) => joined?.role === 'computer';
    const present = await this.server.member(isIt, this.#target ? REJOIN_MS : 0);
    if (present !== undefined) return present;
    await this.#target?.[Symbol.asyncDispose]();
    this.#target = await this.#open(this.start);
    const member = await Promise.race([
      this.server.member(isIt, JOIN_MS),
      ...(this.#target.ended ? [this.#target.ended] : []),
    ]);
    if (member instanceof Error) throw member;
    if (member === undefined) throw new Error(`The Computer did not join the office within ${JOIN_MS / 1000} s`);
    await this.#enter(member);
    return member;
  }

  /** The Agent of the same line enters, as the Server tells it to the Computer. */
  async #enter(member: PlayedConnection): Promise<void> {
    const { office } = this.start;
    const version = member.version ?? versionOf(this.line);
    const agent = { name: AGENT, ...(version && { a2c_version: version }) };
    const { residents } = this.server;
    residents.splice(0, residents.length, { sid: 'agent', role: 'agent', office_id: office, ...agent });
    member.notify('notify:enter_office', { office_id: office, agent: AGENT, ...(version && { a2c_version: version }) });
  }

  /** The fields of every request. */
  request(fields: object = {}): Payload {
    return { agent: AGENT, computer: this.start.name, req_id: randomUUID().replaceAll('-', ''), ...fields };
  }

  /** Asks the Computer, and returns the first argument of its answer. */
  async ask(event: string, fields: object = {}, milliseconds?: number): Promise<Payload> {
    const [answer] = await (await this.computer()).ask(event, this.request(fields), milliseconds);
    return (answer ?? {}) as Payload;
  }

  /** The same for what not every Computer knows: the check does not apply to those that do not. */
  async askIfKnown(event: string, fields: object = {}, milliseconds?: number): Promise<Payload> {
    const answer = await this.ask(event, fields, milliseconds).catch((error: unknown) => {
      if (error instanceof Mismatch) skip(`the Computer does not answer ${event}`);
      throw error;
    });
    const { details } = answer as { details?: { reason?: unknown } };
    const isUnknown = Object.keys(answer).length === 0 || details?.reason === 'unsupported';
    if (isUnknown) skip(`the Computer does not know ${event}`);
    return answer;
  }

  async tools(): Promise<ListedTool[]> {
    const { tools } = await this.ask('client:get_tools', {}, 10_000);
    expect(Array.isArray(tools), 'a list of tools', tools);
    return tools as ListedTool[];
  }

  /** A listed tool, by the name that its MCP server gave it: later lines put the id of the MCP server before it. */
  async tool(name: string): Promise<ListedTool> {
    const tools = await this.tools();
    const found = tools.find(tool => tool.name === name || tool.name.endsWith(`__${name}`));
    const names = tools.map(tool => tool.name);
    expect(found !== undefined, `a tool '${name}'`, names);
    return found;
  }

  /** Calls a tool of the MCP server `fixture`. @param seconds its `timeout` */
  async call(name: string, params: object = {}, seconds = 20): Promise<ToolResult> {
    const tool_name = (await this.tool(name)).name;
    const fields = { tool_name, params, timeout: seconds };
    const answer = await this.ask('client:tool_call', fields, (seconds + 5) * 1000);
    expect(codeOf(answer) === undefined, 'a result, not an error payload', answer);
    return answer as ToolResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#target?.[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    await this.fixture[Symbol.asyncDispose]();
  }
}

/** The metadata of a result under either of its keys. */
export function metaOf({ meta, _meta }: ToolResult): Payload {
  return meta ?? _meta ?? {};
}

/** Fails the check unless the payload is an error with this code, and returns its details. */
export function expectCode(payload: unknown, code: number): Payload {
  expect(codeOf(payload) === code, `error ${code}`, payload);
  const { details, error } = payload as { details?: Payload; error?: { details?: Payload } };
  return details ?? error?.details ?? {};
}
