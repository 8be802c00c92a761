import { describe, expect, test } from 'vitest';
import { resourceSources } from '../../packages/computer/src/resources/sources.ts';
import { verifies } from '../conformance/verifies.ts';
import { eventually, openOffice, scripted } from './office.ts';
import { callTool, openServers } from './servers.ts';

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
    expect(resourceSources(opened)).toMatchObject([
      { server: 'announces', announcesUpdates: true },
      { server: 'relaxed', announcesUpdates: false },
    ]);
  });
});

describe('resources for those who show them', () => {
  test('are listed over all pages, and listed again only after an announcement', async () => {
    const script = { resources: [odd, plain], pageSize: 1, subscribe: true, tools: ['relist', 'touch'] };
    await using opened = await openServers(scripted(script, { name: 'a' }));
    const changes: unknown[] = [];
    opened.on('resources', change => changes.push(change));
    const [source] = resourceSources(opened);
    expect(await source!.list()).toEqual([odd, plain]);
    expect(await source!.list()).toBe(await source!.list());
    await callTool(opened, 'a', 'relist', { resources: [plain] });
    await eventually(() => expect(changes).toEqual([{ server: 'a', type: 'list' }]));
    expect(await source!.list()).toEqual([plain]);
    await callTool(opened, 'a', 'touch', { uri: plain.uri });
    await eventually(() => expect(changes.at(-1)).toEqual({ server: 'a', type: 'updated', uri: plain.uri }));
  });

  test('come and go with their server', async () => {
    await using opened = await openServers(scripted({ resources: [plain], subscribe: true }, { name: 'a' }));
    const changes: string[] = [];
    opened.on('resources', ({ type }) => changes.push(type));
    const before = resourceSources(opened);
    await opened.require('a').restart();
    await opened.require('a').settled();
    expect(changes).toEqual(['gone', 'ready']);
    expect(before).toHaveLength(1);
    expect(await resourceSources(opened)[0]!.list()).toEqual([plain]);
  });
});
