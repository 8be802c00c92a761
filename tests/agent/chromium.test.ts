import type * as AgentModule from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { expect, test } from 'vitest';
import { bundleForBrowser } from '../bundle.ts';
import { chromiumPath, openPage } from '../chromium.ts';
import { ScriptedComputer, text } from './scripted-computer.ts';

declare global {
  /** In the page: the Agent package, and the agent that the test has connected. */
  var a2c: typeof AgentModule;
  var agent: AgentModule.Agent;
}

const entry = `import * as a2c from '@a2c-smcp/agent'; globalThis.a2c = a2c;`;

test.skipIf(!chromiumPath)(
  'in Chromium the Agent connects, lists, calls, sees an update and explains a refusal (needs chromium on the PATH)',
  { timeout: 120_000 },
  async () => {
    await using browser = await openPage(await bundleForBrowser(entry));
    const { page, origin, problems } = browser;
    await using server = await SmcpServer.listen({ port: 0, allowedOrigins: [origin] });
    await using computer = await ScriptedComputer.join(server.url, { tools: { echo: ({ say }) => text(String(say)) } });
    await page.waitForFunction(() => globalThis.a2c !== undefined);

    const members = await page.evaluate(async url => {
      globalThis.agent = await a2c.Agent.connect(url, { name: 'assistant', office: 'demo' });
      return (await agent.members()).map(({ name }) => name);
    }, server.url);
    expect(members.toSorted()).toEqual(['assistant', 'desk']);

    const answer = await page.evaluate(async () => {
      const { tools = [] } = agent.computers.get('desk') ?? {};
      const result = await agent.callTool({ computer: 'desk', tool: 'echo', params: { say: 'hi' } });
      return { tools: tools.map(({ name }) => name), result };
    });
    expect(answer).toEqual({ tools: ['echo'], result: text('hi') });

    const update = page.evaluate(() => agent.waitFor({ computer: 'desk', tool: 'save' }).then(({ tool }) => tool.name));
    computer.tools.set('save', () => text('saved'));
    computer.announce('tool_list');
    expect(await update).toBe('save');

    const refusal = await page.evaluate(async url => {
      return a2c.Agent.connect(url, { name: 'late', office: 'demo' }).catch(error => error.code);
    }, server.url);
    expect(refusal).toBe(4101);
    expect(problems).toEqual([]);
  },
);
