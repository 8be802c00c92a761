import { Agent, type AgentOptions } from '@a2c-smcp/agent';
import { type ListenOptions, SmcpServer } from '@a2c-smcp/server';
import { type Script, ScriptedComputer } from './scripted-computer.ts';

export interface OfficeOptions {
  tools?: Record<string, Script>;
  agent?: Partial<AgentOptions>;
  server?: ListenOptions;
}

/** A Server, one scripted Computer and an Agent, all in one office. */
export interface Office extends AsyncDisposable {
  server: SmcpServer;
  computer: ScriptedComputer;
  agent: Agent;
}

/** Opens an office; the Computer is there before the Agent. */
export async function openOffice({ tools = {}, agent: options, server: listen }: OfficeOptions = {}): Promise<Office> {
  const server = await SmcpServer.listen({ port: 0, ...listen });
  const computer = await ScriptedComputer.join(server.url, { tools });
  const agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo', ...options });
  return {
    server,
    computer,
    agent,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await computer.close();
      await server.close();
    },
  };
}
