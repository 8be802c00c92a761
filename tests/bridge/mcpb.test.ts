import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openOffice } from '@a2c-smcp/testing';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { newClient, textIn, toolNames } from './bridged.ts';

test('the bundle for Claude Desktop serves an office with the settings of its user', async () => {
  const folder = temporaryFolder();
  execFileSync(process.execPath, [join(root, 'scripts/mcpb.mjs'), folder]);
  const { server, user_config } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  await using office = await openOffice({ desk: { tools: { echo: { run: ({ text }) => text } } } });
  const chosen: Record<string, string> = { url: office.url, office: 'test', key: user_config.key.default };
  const fill = (text: string) =>
    text.replaceAll('${__dirname}', folder).replaceAll(/\$\{user_config\.(\w+)\}/g, (all, name) => chosen[name] ?? all);
  const { args, env } = server.mcp_config as { args: string[]; env: Record<string, string> };
  const client = newClient('modern');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: args.map(fill),
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
    }),
  );
  expect(Object.keys(user_config).sort()).toEqual(Object.keys(chosen).sort());
  expect(await toolNames(client)).toEqual(['echo']);
  expect(textIn(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
  await client.close();
});
