import { Agent, type AgentOptions } from '@a2c-smcp/agent';
import { Computer, type ComputerOptions, type LocalTool } from '@a2c-smcp/computer';
import { type ListenOptions, SmcpServer } from '@a2c-smcp/server';

/** The tools of one Computer. */
export type TestTools = Record<string, LocalTool>;

export interface OpenOfficeOptions {
  /** @default 'test' */
  office?: string;
  server?: ListenOptions;
}

/** A Server on a free port, and Computers in one office of it. */
export interface OpenOffice<Name extends string = string> extends AsyncDisposable {
  url: string;
  server: SmcpServer;
  computers: Record<Name, Computer>;
  /** Closes everything, as `await using` does at the end of its block. */
  close(): Promise<void>;
}

export interface TestOfficeOptions extends OpenOfficeOptions {
  agent?: Partial<AgentOptions>;
  /** For all Computers. */
  computer?: Partial<ComputerOptions>;
}

/** The same with an Agent. */
export interface TestOffice<Name extends string = string> extends OpenOffice<Name> {
  agent: Agent;
}

/** Opens an office without an Agent. @param computers the options of each Computer, by name */
export async function openOffice<Name extends string>(
  computers: Record<Name, Partial<ComputerOptions>>,
  { office = 'test', server: listen }: OpenOfficeOptions = {},
): Promise<OpenOffice<Name>> {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0, ...listen });
  const opened: Computer[] = [];
  const close = async () => {
    await Promise.all(opened.map(computer => computer.close()));
    await server.close();
  };
  try {
    const entries = await Promise.all(
      Object.entries<Partial<ComputerOptions>>(computers).map(async ([name, options]) => {
        const computer = await Computer.open({ name, ...options });
        opened.push(computer);
        await computer.join(server.url, { office });
        return [name, computer];
      }),
    );
    const computersByName = Object.fromEntries(entries);
    return { url: server.url, server, computers: computersByName, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens an office for a test: Computers whose tools are functions of this process, and an Agent that has listed them.
 *
 * @param tools the tools of each Computer, by name: `{ desk: { echo: { run: ({ text }) => text } } }`
 */
export async function testOffice<Name extends string>(
  tools: Record<Name, TestTools>,
  { agent: agentOptions, computer, ...options }: TestOfficeOptions = {},
): Promise<TestOffice<Name>> {
  const entries = Object.entries<TestTools>(tools);
  const computers = Object.fromEntries(entries.map(([name, own]) => [name, { tools: own, ...computer }]));
  const office = await openOffice<Name>(computers as Record<Name, Partial<ComputerOptions>>, options);
  let agent: Agent | undefined;
  const close = async () => {
    await agent?.close();
    await office[Symbol.asyncDispose]();
  };
  try {
    agent = await Agent.connect(office.url, { name: 'agent', office: options.office ?? 'test', ...agentOptions });
    for (const [name, own] of entries) {
      for (const tool of Object.keys(own)) await agent.waitFor({ computer: name, tool });
    }
    return { ...office, agent, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
