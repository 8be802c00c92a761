import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, openBareOffice, openOffice, scripted } from './office.ts';
import { callTool, catalogOf, openServers } from './servers.ts';

const odd = { uri: 'window://a/odd', annotations: { priority: 99, audience: null }, _meta: 7, size: 'big', extra: {} };
const plain = { uri: 'file:///plain.txt', name: 'plain' };
const templates = [{ uriTemplate: 'notes://{year}/{id}', name: 'notes' }];

const servers = {
  empty: scripted({}, { name: 'empty' }),
  a: scripted({ resources: [odd, plain], pageSize: 1 }, { name: 'a' }),
  b: scripted({ resources: [{ uri: 'other://b' }, plain], templates }, { name: 'b' }),
};

describe('resources for the Agent', () => {
  verifies('get-resources.page', async () => {
    await using office = await openOffice({ servers });
    const first = await office.ask('client:get_resources', { mcp_server: 'a' });
    expect(first).toMatchObject({ resources: [odd], next_cursor: '1' });
    const second = await office.ask('client:get_resources', { mcp_server: 'a', cursor: '1' });
    expect(second.resources).toEqual([plain]);
    expect(second.next_cursor ?? undefined).toBeUndefined();
  });

  verifies(['get-resources.errors', 'read-resource.errors'], async () => {
    await using office = await openOffice({ servers });
    const list = (mcp_server: string) => office.ask('client:get_resources', { mcp_server });
    const read = (uri: string, mcp_server?: string) => office.ask('client:read_resource', { uri, mcp_server });
    const names = (name: string) => ({ mcp_server: name, mcp_server_name: name });
    await expect(list('nobody')).rejects.toMatchObject({ code: 4014, details: names('nobody') });
    await expect(read('x://y', 'nobody')).rejects.toMatchObject({ code: 4014, details: names('nobody') });
    const lacking = { code: 4015, details: { ...names('empty'), capability: 'resources' } };
    await expect(list('empty')).rejects.toMatchObject(lacking);
    await expect(read('x://y', 'empty')).rejects.toMatchObject(lacking);
    await expect(read('x://nobody-has-it')).rejects.toMatchObject({ code: 404 });
    await expect(read('file:///missing.txt', 'a')).rejects.toMatchObject({ code: 404 });
  });

  verifies(
    'get-resources.errors',
    async () => {
      await using office = await openBareOffice({ servers });
      const list = (mcp_server: string) =>
        office.ask('client:get_resources', { agent: 'a', req_id: 'r', computer: 'desk', mcp_server });
      const names = (name: string) => ({ mcp_server: name, mcp_server_name: name });
      expect(await list('nobody')).toMatchObject({ code: 4014, ...names('nobody') });
      expect(await list('empty')).toMatchObject({ code: 4015, ...names('empty'), capability: 'resources' });
    },
    'at the top of the payload',
  );

  verifies('read-resource.server', async () => {
    await using office = await openOffice({ servers });
    const read = (fields: { uri: string; mcp_server?: string }) => office.ask('client:read_resource', fields);
    const contents = (uri: string) => [{ uri, text: `text of ${uri}`, custom: true }];
    expect((await read({ uri: 'other://b' })).contents).toEqual(contents('other://b'));
    expect((await read({ uri: 'notes://2026/7' })).contents).toEqual(contents('notes://2026/7'));
    expect((await read({ uri: 'unlisted://x?y=1#z', mcp_server: 'a' })).contents).toEqual(
      contents('unlisted://x?y=1#z'),
    );
  });

  verifies('gate.relaxed', async () => {
    const resources = [{ uri: 'window://a' }];
    await using opened = await openServers(
      scripted({ resources, subscribe: true }, { name: 'announces' }),
      scripted({ resources }, { name: 'silent' }),
      scripted({ resources }, { name: 'relaxed', require_subscribe: false }),
    );
    expect(catalogOf(opened).shown).toMatchObject([
      { server: 'announces', announcesUpdates: true },
      { server: 'relaxed', announcesUpdates: false },
    ]);
  });
});

describe('resources for Desktop and Finder', () => {
  test('resources are listed over all pages, and again only after a notification', async () => {
    const script = { resources: [odd, plain], pageSize: 1, subscribe: true, tools: ['relist', 'touch'] };
    await using opened = await openServers(scripted(script, { name: 'a' }));
    const changes: unknown[] = [];
    opened.events.on('resources-changed', change => changes.push(change));
    opened.events.on('resource-updated', change => changes.push(change));
    const session = await opened.require('a').ready();
    expect(await session.resources()).toEqual([odd, plain]);
    expect(await session.resources()).toBe(await session.resources());
    await callTool(opened, 'a', 'relist', { resources: [plain] });
    await eventually(() => expect(changes).toEqual([{ server: 'a' }]));
    expect(await session.resources()).toEqual([plain]);
    await callTool(opened, 'a', 'touch', { uri: plain.uri });
    await eventually(() => expect(changes.at(-1)).toEqual({ server: 'a', uri: plain.uri }));
  });

  test('resources come and go with their server', async () => {
    await using opened = await openServers(scripted({ resources: [plain], subscribe: true }, { name: 'a' }));
    const catalog = catalogOf(opened);
    const counts: number[] = [];
    opened.events.on('state', () => counts.push(catalog.shown.length));
    expect(catalog.shown).toHaveLength(1);
    await opened.require('a').restart();
    await opened.require('a').settled();
    expect(counts[0]).toBe(0);
    expect(counts.at(-1)).toBe(1);
    expect(await catalog.shown[0]?.session.resources()).toEqual([plain]);
  });
});
