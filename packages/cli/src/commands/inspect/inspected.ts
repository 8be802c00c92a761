import { Agent } from '@a2c-smcp/agent';
import { Computer, type ComputerOptions, type InputStore } from '@a2c-smcp/computer';
import { fieldsOf, readJson } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import type { Target } from './target.ts';

const OFFICE = 'inspection';
const COMPUTER = 'inspected';
/** Milliseconds that an MCP server gets to start and list its tools. */
const START_TIMEOUT_MS = 30_000;

export interface InspectedOptions {
  store: InputStore;
  env: Record<string, string | undefined>;
  inputValues: Record<string, string>;
  ask?: ComputerOptions['ask'];
}

/** One MCP server on a Computer of an office, with the Agent that looks at it: everything is as in operation. */
export class Inspected implements AsyncDisposable {
  readonly name: string;
  readonly computer: Computer;
  readonly agent: Agent;
  readonly #server: SmcpServer;

  private constructor(name: string, parts: { computer: Computer; agent: Agent; server: SmcpServer }) {
    this.name = name;
    this.computer = parts.computer;
    this.agent = parts.agent;
    this.#server = parts.server;
  }

  static async open({ name, config }: Target, options: InspectedOptions): Promise<Inspected> {
    const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    let computer: Computer | undefined;
    try {
      computer = await Computer.open({
        name: COMPUTER,
        ...config,
        ...options,
        // Only a tool that the command line names is called.
        confirm: async () => true,
        pins: false,
        startTimeout: START_TIMEOUT_MS,
        patience: START_TIMEOUT_MS,
      });
      await computer.join(server.url, { office: OFFICE });
      const agent = await Agent.connect(server.url, { name: 'inspector', office: OFFICE });
      return new Inspected(name, { computer, agent, server });
    } catch (error) {
      await computer?.close();
      await server.close();
      throw error;
    }
  }

  tools() {
    return this.agent.getTools(COMPUTER);
  }

  /** The windows as an Agent sees them, by URI and in order. */
  async desktop(): Promise<Map<string, string>> {
    const windows = await this.agent.getDesktop(COMPUTER);
    return new Map(windows.map(text => [text.split('\n', 1)[0] ?? '', text.slice(text.indexOf('\n') + 2)]));
  }

  async documents() {
    return this.agent.getFinder(COMPUTER, { limit: 100 });
  }

  callTool(tool: string, params: Record<string, unknown>) {
    return this.agent.callTool({ computer: COMPUTER, tool, params });
  }

  /** The contents of a resource as the MCP server gives them now. */
  contents(uri: string) {
    return this.agent.readResource(COMPUTER, uri, { server: this.name });
  }

  /** The JSON of a `dpe://` address, or the code with which the MCP server refuses it. */
  async read(uri: string): Promise<{ body?: Record<string, unknown>; code?: number; reason?: string }> {
    try {
      const [content] = await this.contents(uri);
      const body = typeof content?.text === 'string' ? readJson(content.text) : undefined;
      return body === null || typeof body !== 'object'
        ? { reason: 'its text is no JSON object' }
        : { body: fieldsOf(body) };
    } catch (error) {
      if (!(error instanceof SmcpError)) throw error;
      const upstream = error.details?.upstream_code;
      return { code: typeof upstream === 'number' ? upstream : error.code, reason: error.message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
    await this.computer.close();
    await this.#server.close();
  }
}
