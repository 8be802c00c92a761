import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import type { GetPromptRet, MCPServerConfig, Prompt } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { expect, test } from 'vitest';
import { openComputer } from '../computer/office.ts';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';

const everything: MCPServerConfig = {
  name: 'everything',
  type: 'stdio',
  server_parameters: {
    command: process.execPath,
    args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
  },
};

test('a2c agent prompts lists prompts by MCP server, and prints the messages of one', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using computer = await Computer.open({ name: 'desk', servers: { everything } });
  await computer.join(server.url, { office: 'demo' });
  const prompts = (...words: string[]) => a2c(['agent', 'prompts', ...words, '--url', server.url]);
  const { code, out } = await prompts();
  expect(code).toBe(0);
  expect(out).toMatch(/^desk \/ everything {2}\d+ prompts\n/);
  expect(out).toMatch(/\n {2}args-prompt city state\?\n {6}\S/);
  const [list] = (await prompts('--json')).json<{ computer: string; prompts: Prompt[] }[]>();
  expect(list?.prompts).toContainEqual(expect.objectContaining({ name: 'args-prompt', mcp_server: 'everything' }));
  const filled = await prompts('args-prompt', 'city=Köln', 'state=NRW');
  expect(filled.out).toMatch(/^user\n.*Köln, NRW/);
  const { messages } = (await prompts('args-prompt', '-p', '{"city": "Bonn"}', '--json')).json<GetPromptRet>();
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text', text: expect.stringContaining('Bonn') } }]);
  expect((await prompts('args-prompt')).err).toContain("The prompt needs 'city'");
  expect((await prompts('args-prompt', 'town=x', 'city=y')).err).toContain("The prompt has no parameter 'town'");
  expect((await prompts('arg-prompt')).err).toContain("did you mean 'args-prompt'?");
  expect((await prompts('--server', 'nothing')).out).toBe("No prompts: MCP server 'nothing' of 'desk' offers none");
});

test('a2c agent prompts asks which prompt is meant, shows odd names safely, and explains a Computer without prompts', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  const prompts = [{ name: 'same' }, { name: 'evil\u001b[2J\nname', description: '\u001b[31mred' }];
  await using computer = await openComputer({ one: { prompts }, two: { prompts: [{ name: 'same' }] } });
  await computer.join(server.url, { office: 'demo' });
  const run = (...words: string[]) => a2c(['agent', 'prompts', ...words, '--url', server.url]);
  const { out } = await run();
  expect(out).not.toContain('\u001b');
  expect(out).toContain('evil');
  expect((await run('same')).err).toContain("Several MCP servers have a prompt 'same' (desk / one, desk / two)");
  expect((await run('same', '--server', 'two')).out).toBe('user\nsame {}');
  const old = await RawPeer.join(server.url, 'computer', 'old', 'demo');
  old.reply('client:get_prompts', () => ({
    code: 400,
    message: 'This computer does not know client:get_prompts',
    details: { reason: 'unsupported' },
  }));
  const refused = await run('-c', 'old');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('This computer does not know client:get_prompts');
  expect((await run()).out).toContain('same');
  old.close();
});
