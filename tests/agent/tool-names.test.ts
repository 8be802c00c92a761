import { Agent } from '@a2c-smcp/agent';
import { anthropicTools } from '@a2c-smcp/agent/anthropic';
import { chatTools } from '@a2c-smcp/agent/openai';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { scripted, textOf } from '../computer/office.ts';
import { verifies } from '../conformance/verifies.ts';
import { openOffice } from './office.ts';
import { type Script, text } from './scripted-computer.ts';

const say: Script = ({ text: words }) => text(String(words));

/** A Computer of another implementation that knows its tools under the long names only. */
async function openBundled(tools: Record<string, string>) {
  const scripts = Object.keys(tools).map(name => [name, say]);
  const office = await openOffice({ tools: Object.fromEntries(scripts), agent: { autoRefresh: ['tools'] } });
  for (const [name, bundle_id] of Object.entries(tools)) office.computer.descriptions.set(name, { bundle_id });
  office.computer.announce('tool_list');
  await office.agent.waitFor({ tool: 'files__read' }, { timeout: 10_000 });
  await expect.poll(() => office.agent.computers.get('desk')?.tools[0]?.bundle_id).toBe('files');
  return office;
}

const called = (office: Awaited<ReturnType<typeof openBundled>>) =>
  office.computer.askedFor('client:tool_call').map(({ tool_name }) => tool_name);

const TOOLS = { files__read: 'files', files__echo: 'files', mail__echo: 'mail', 'a.b__c': 'x' };

describe('names of tools', () => {
  verifies('names.agent', async () => {
    await using office = await openBundled(TOOLS);
    const { agent } = office;
    for (const tool of ['read', 'files__read', 'echo', 'c', 'files__c']) {
      await agent.callTool({ computer: 'desk', tool, params: { text: 'hi' } });
    }
    expect(called(office)).toEqual(['files__read', 'files__read', 'echo', 'c', 'files__c']);
    const found = await agent.waitFor({ tool: 'read' }, { timeout: 5000 });
    expect(found).toMatchObject({ computer: 'desk', tool: { name: 'files__read' } });
  });

  test('a plain name that means two tools is not waited for in vain: the error names both', async () => {
    await using office = await openBundled(TOOLS);
    const waiting = office.agent.waitFor({ tool: 'echo' }, { timeout: 100 });
    await expect(waiting).rejects.toThrow(/'echo' in time; wait for one of 'files__echo', 'mail__echo' instead/);
  });

  test('a long name finds a tool that is listed under its plain name', async () => {
    await using office = await openOffice({ tools: { read: say } });
    office.computer.descriptions.set('read', { bundle_id: 'files' });
    office.computer.announce('tool_list');
    const found = await office.agent.waitFor({ tool: 'files__read' }, { timeout: 10_000 });
    expect(found.tool.name).toBe('read');
    await office.agent.callTool({ computer: 'desk', tool: 'files__read' });
    expect(called(office)).toEqual(['read']);
  });

  test('a model may use either form of a name, and the filter of an adapter too', async () => {
    await using office = await openBundled(TOOLS);
    const offered = (names?: string[]) =>
      chatTools(office.agent, names && { names }).tools.map(tool => tool.function.name);
    expect(offered(['read', 'mail__echo', 'echo'])).toEqual(['files__read', 'mail__echo']);
    const kit = anthropicTools(office.agent, { names: ['read', 'files__echo'] });
    expect(kit.tools.map(({ name }) => name)).toEqual(['files__read', 'files__echo']);
    const use = (name: string) => ({ type: 'tool_use', id: name, name, input: { text: name } });
    const results = await kit.run(['files__read', 'read', 'echo', 'mail__echo'].map(use));
    expect(JSON.stringify(results)).toContain("There is no tool 'mail__echo'");
    expect(called(office)).toEqual(['files__read', 'files__read', 'files__echo']);
  });

  test('our Agent and Computer work with either form, whatever version the Agent speaks', async () => {
    await using server = await SmcpServer.listen({ port: 0, acceptVersions: ['0.2', '0.4'] });
    await using computer = await Computer.open({
      name: 'desk',
      servers: { 'my files': scripted({ tools: ['echo'] }) },
    });
    await computer.join(server.url, { office: 'demo', protocolVersion: '0.2.0' });
    for (const [protocolVersion, listed] of [
      ['0.2.0', 'echo'],
      ['0.4.0', 'my_files__echo'],
    ] as const) {
      await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo', protocolVersion });
      for (const tool of ['echo', 'my_files__echo']) {
        const found = await agent.waitFor({ tool }, { timeout: 5000 });
        expect(found.tool.name).toBe(listed);
        const result = await agent.callTool({ computer: 'desk', tool, params: { text: 'hi' } });
        expect(textOf(result)).toContain('hi');
      }
      expect(computer.history.slice(-2).map(({ tool }) => tool)).toEqual([listed, listed]);
    }
  });
});
