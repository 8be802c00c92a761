import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, ErrorCode, errorCodeOf, isCancelled, isTimedOut, textOf } from '@a2c-smcp/agent';
import { aiTools } from '@a2c-smcp/agent/ai-sdk';
import type { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { generateText, stepCountIs } from 'ai';
import { describe, expect, test } from 'vitest';
import { eventually, openComputer } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { scriptedModel, toolUse } from './scripted-model.ts';

interface WholeSystem extends AsyncDisposable {
  agent: Agent;
  computer: Computer;
}

/** A Server, a Computer with one MCP server in a process of its own, and an Agent. */
async function openSystem(script: object): Promise<WholeSystem> {
  const server = await SmcpServer.listen({ port: 0 });
  const computer = await openComputer({ scripted: script });
  await computer.join(server.url, { office: 'demo' });
  const agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo', autoRefresh: ['tools'] });
  return {
    agent,
    computer,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await computer.close();
      await server.close();
    },
  };
}

describe('with a real Computer and a real MCP server', () => {
  test('a model of the AI SDK calls a tool of an MCP server and gets its result', async () => {
    await using system = await openSystem({ tools: ['echo'] });
    const model = scriptedModel([[toolUse('echo', '{"text":"hi"}')], [{ type: 'text', text: 'Done' }]]);
    const tools = aiTools(system.agent);
    const { text } = await generateText({ model, tools, prompt: 'Say hi', stopWhen: stepCountIs(3) });
    expect(text).toBe('Done');
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([{ name: 'echo', inputSchema: { type: 'object' } }]);
    expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'text', value: '{"text":"hi"}' } }],
    });
  });

  test('the Agent gets the new tools of an MCP server', async () => {
    await using system = await openSystem({ tools: ['retool'] });
    const { agent } = system;
    const coming = agent.waitFor({ computer: 'desk', tool: 'brand-new' });
    await agent.callTool({ computer: 'desk', tool: 'retool', params: { tools: ['brand-new'] } });
    expect(await coming).toMatchObject({ computer: 'desk', tool: { name: 'brand-new' } });
    expect(agent.computers.get('desk')?.tools).toHaveLength(1);
    expect(textOf(await agent.callTool({ computer: 'desk', tool: 'brand-new', params: { a: 1 } }))).toBe('{"a":1}');
  });

  test('an aborted call is cancelled in the MCP server', async () => {
    const log = join(temporaryFolder(), 'messages.log');
    await using system = await openSystem({ tools: ['hang'], log });
    const controller = new AbortController();
    const calling = system.agent.callTool({ computer: 'desk', tool: 'hang' }, { signal: controller.signal });
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('tools/call'));
    controller.abort();
    expect(isCancelled(await calling)).toBe(true);
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled'));
  });

  test('a tool that takes too long is a timed-out result of the Computer', async () => {
    await using system = await openSystem({ tools: ['hang'] });
    const result = await system.agent.callTool({ computer: 'desk', tool: 'hang' }, { timeout: 1000 });
    expect(isTimedOut(result)).toBe(true);
    expect(errorCodeOf(result)).toBe(ErrorCode.ToolTimeout);
  });
});
