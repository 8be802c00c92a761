import { RawPeer, scriptedServer as scripted } from '@a2c-smcp/testing';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { ERAS, type Era, openBridged, WAYS, type Way } from './bridged.ts';

const kinds = ERAS.flatMap(era => WAYS.map((way): [Era, Way] => [era, way]));
const review = {
  name: 'review',
  title: 'Review',
  description: 'Reviews a file',
  arguments: [{ name: 'path', description: 'The file', required: true }, { name: 'tone' }],
};
const withPrompts = (...prompts: object[]) => scripted({ tools: [], prompts });
const namesOf = async (client: Client) => (await client.listPrompts()).prompts.map(({ name }) => name);

describe.each(kinds)('prompts for a client of the %s era by %s', (era, way) => {
  test(`prompts of hosted MCP servers are listed beside use-office, and filled in (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: { servers: { app: withPrompts(review) } } });
    const client = await office.connect(era, way);
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      expect.objectContaining({ name: 'use-office' }),
      {
        ...review,
        _meta: { 'a2c/computer': 'desk', 'a2c/mcp_server': 'app', 'a2c/prompt': 'review' },
      },
    ]);
    const filled = await client.getPrompt({ name: 'review', arguments: { path: 'a.ts' } });
    expect(filled).toMatchObject({
      description: 'About review',
      messages: [{ role: 'user', content: { type: 'text', text: 'review {"path":"a.ts"}' } }],
    });
    const own = await client.getPrompt({ name: 'use-office', arguments: { task: 'Tidy up' } });
    expect(JSON.stringify(own.messages)).toContain('Tidy up');
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Unknown prompt 'nothing'"),
    });
    await expect(client.getPrompt({ name: 'review' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Argument path is missing'),
    });
  });

  test(`a change of prompts is announced when a Computer enters or leaves (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: { servers: { app: withPrompts(review) } }, other: {} });
    const client = await office.connect(era, way);
    let changes = 0;
    client.setNotificationHandler('notifications/prompts/list_changed', () => void changes++);
    expect(await namesOf(client)).toEqual(['use-office', 'desk__review']);
    if (era === 'modern') await client.listen({ promptsListChanged: true });
    await office.computers.other?.leave();
    await office.computers.desk?.leave();
    await eventually(() => expect(changes).toBe(1));
    expect(await namesOf(client)).toEqual(['use-office']);
  });
});

test('options that choose tools leave prompts as they are, and one that chooses Computers does not', async () => {
  const desk = { servers: { app: withPrompts(review) } };
  await using filtered = await openBridged({ desk }, { tags: ['none'], tools: ['none'], readOnly: true });
  expect(await namesOf(await filtered.connect('legacy'))).toEqual(['use-office', 'review']);
  await using other = await openBridged({ desk }, { computers: ['laptop'] });
  expect(await namesOf(await other.connect('legacy'))).toEqual(['use-office']);
});

describe('names of prompts', () => {
  test('two servers of one Computer with the same prompt get two names, and each leads to its own', async () => {
    const answer = (text: string) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });
    const prompt = (text: string) => ({ name: 'hello', '@answer': answer(text) });
    await using office = await openBridged({
      desk: { servers: { one: withPrompts(prompt('from one')), two: withPrompts(prompt('from two')) } },
    });
    const client = await office.connect('modern');
    expect(await namesOf(client)).toEqual(['use-office', 'hello', 'two__hello']);
    const textOf = async (name: string) => JSON.stringify((await client.getPrompt({ name })).messages);
    expect(await textOf('hello')).toContain('from one');
    expect(await textOf('two__hello')).toContain('from two');
  });

  test('odd names become names that clients accept, and are given to the server as they are', async () => {
    const odd = ["../o dd\n'name'☃", 'use-office', '', 'x'.repeat(300)];
    await using office = await openBridged({
      desk: { servers: { app: withPrompts(...odd.map(name => ({ name }))) } },
    });
    const client = await office.connect('legacy');
    const { prompts } = await client.listPrompts();
    const listed = prompts.slice(1);
    expect(listed).toHaveLength(odd.length);
    for (const { name, _meta } of listed) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,46}$/);
      const original = String(_meta?.['a2c/prompt']);
      expect((await client.getPrompt({ name })).messages).toEqual([
        { role: 'user', content: { type: 'text', text: `${original} {}` } },
      ]);
    }
    expect(listed.map(({ _meta }) => _meta?.['a2c/prompt']).toSorted()).toEqual(odd.toSorted());
  });

  test('a client that gets a prompt without listing first gets it by the name of an earlier list', async () => {
    await using office = await openBridged({ desk: { servers: { app: withPrompts({ name: 'hello' }) } } });
    const client = await office.connect('legacy', 'streams');
    expect((await client.getPrompt({ name: 'hello' })).messages).toHaveLength(1);
  });
});

describe('prompts that are left out', () => {
  test('only the prompts of the Computers in the filter are there', async () => {
    const servers = { app: withPrompts({ name: 'hello' }) };
    await using office = await openBridged({ desk: { servers }, secret: { servers } }, { computers: ['desk'] });
    const client = await office.connect('modern');
    expect(await namesOf(client)).toEqual(['use-office', 'hello']);
    await expect(client.getPrompt({ name: 'secret__hello' })).rejects.toThrow('Unknown prompt');
  });

  test('a Computer without this extension, one that does not answer, and junk leave the others as they are', async () => {
    await using office = await openBridged({ desk: { servers: { app: withPrompts({ name: 'hello' }) } } });
    const old = await RawPeer.join(office.url, 'computer', 'old', 'test');
    const junk = await RawPeer.join(office.url, 'computer', 'junk', 'test');
    for (const peer of [old, junk]) peer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
    const unsupported = { code: 400, message: 'Unknown', details: { reason: 'unsupported' } };
    old.reply('client:get_prompts', () => unsupported);
    junk.reply('client:get_prompts', ({ req_id }) => ({ prompts: [{ name: 7 }, null], req_id }));
    const client = await office.connect('modern');
    expect(await namesOf(client)).toEqual(['use-office', 'desk__hello']);
    old.close();
    junk.close();
  });

  test('an office that cannot be reached leaves use-office', async () => {
    await using office = await openBridged({});
    await office.server.close();
    const client = await office.connect('legacy', 'streams');
    expect(await namesOf(client)).toEqual(['use-office']);
  });

  test('10,000 prompts are listed within the size that clients accept', async () => {
    await using office = await openBridged({ desk: { servers: { app: scripted({ manyPrompts: 10_000 }) } } });
    const client = await office.connect('legacy', 'streams');
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(9000);
    expect(JSON.stringify(prompts).length).toBeLessThan(8 * 1024 * 1024);
  });
});
