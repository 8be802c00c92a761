import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { eventually } from './office.ts';
import { eras, publishing } from './publishing.ts';

describe.each(eras)('an Agent that keeps its views current, with an MCP server of the %s era,', era => {
  test('an Agent gets a changed window and a changed document with their new content', async () => {
    await using server = await SmcpServer.listen({ host: '127.0.0.1', port: 0 });
    const script = { windows: 1, documents: 1, body: '{"title":"old","page_count":1}' };
    const servers = { app: publishing(script, { era }) };
    await using computer = await Computer.open({ name: 'desk', servers });
    await computer.join(server.url, { office: 'demo' });
    const autoRefresh = ['desktop', 'finder'] as const;
    await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo', autoRefresh });
    const heard: string[] = [];
    agent.on('desktop', ({ desktop }) => heard.push(...desktop));
    agent.on('finder', ({ documents }) => heard.push(...documents.map(({ title }) => title)));

    const window = 'window://com.example.app/0';
    await computer.callTool({ tool: 'write', params: { uri: window, text: 'fresh' } });
    await eventually(() => expect(heard).toContain(`${window}\n\nfresh`));
    const text = '{"title":"new","page_count":1}';
    await computer.callTool({ tool: 'write', params: { uri: 'dpe://com.example.app/0', text } });
    await eventually(() => expect(heard).toContain('new'));
  });
});
