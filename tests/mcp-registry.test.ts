import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@a2c-smcp/core';
import { openOffice } from '@a2c-smcp/testing';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { newClient, textIn, toolNames } from './bridge/bridged.ts';
import { examples } from './documents/client.ts';
import { address, root } from './packages.ts';

/** A package in `server.json`, the format of the MCP Registry. */
interface RegistryPackage {
  registryType: string;
  identifier: string;
  version: string;
  transport: { type: string };
  packageArguments: { value?: string; valueHint?: string }[];
  environmentVariables?: { name: string; default?: string }[];
}

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

test.each(['cli', 'documents'])('the entry of %s in the MCP Registry belongs to its npm package', folder => {
  const server = readJson(`packages/${folder}/server.json`);
  const { name, mcpName, bin } = readJson(`packages/${folder}/package.json`);
  const [owner] = new URL(address).pathname.slice(1).split('/');
  expect(server.name).toMatch(new RegExp(`^io\\.github\\.${owner}/[a-z]+$`));
  expect(mcpName).toBe(server.name);
  expect(server).toMatchObject({
    version: VERSION,
    repository: { url: address, source: 'github', subfolder: `packages/${folder}` },
    packages: [{ registryType: 'npm', identifier: name, version: VERSION, transport: { type: 'stdio' } }],
  });
  expect(server.websiteUrl.startsWith(`${address}/`)).toBe(true);
  // `npx` knows which program is meant only if there is one.
  expect(Object.keys(bin)).toHaveLength(1);
});

test('a client that starts the bridge by its entry in the MCP Registry uses the office', async () => {
  await using office = await openOffice({ desk: { tools: { echo: { run: ({ text }) => text } } } });
  const client = await start('cli', {}, { A2C_URL: office.url, A2C_OFFICE: 'test', A2C_KEY: '' });
  expect(await toolNames(client)).toEqual(['echo']);
  expect(textIn(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
  await client.close();
});

test('a client that starts the documents server by its entry in the MCP Registry lists documents', async () => {
  const client = await start('documents', { folder: examples }, {});
  const { resources } = await client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith('dpe://')).length).toBeGreaterThan(0);
  await client.close();
});

/** Starts the program of a package with the words and the variables of its entry, filled with what a user chose. */
async function start(
  folder: string,
  words: Record<string, string>,
  variables: Record<string, string>,
): Promise<Client> {
  const [{ packageArguments, environmentVariables = [] }]: [RegistryPackage] = readJson(
    `packages/${folder}/server.json`,
  ).packages;
  expect(environmentVariables.map(({ name }) => name)).toEqual(Object.keys(variables));
  const [program = ''] = Object.values<string>(readJson(`packages/${folder}/package.json`).bin);
  const args = packageArguments.map(({ value, valueHint = '' }) => value ?? words[valueHint] ?? '');
  const client = newClient('modern');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'packages', folder, program), ...args],
      env: variables,
    }),
  );
  return client;
}
