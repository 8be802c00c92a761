import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdoptedWindow, MCPServerConfig } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { eventually, fixture, type Office, openOffice, stateOf } from './office.ts';
import { publishing } from './publishing.ts';
import { temporaryFolder } from './temporary.ts';

/** A server with tools that publishes nothing. One of the tools is read-only. */
function tooling(windows: Record<string, AdoptedWindow>, more: Partial<MCPServerConfig> = {}): MCPServerConfig {
  const readOnly = { name: 'shown', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } };
  const args = [fixture, JSON.stringify({ tools: [readOnly, 'echo', 'fail'] })];
  const server_parameters = { command: process.execPath, args };
  return { name: 'my-tools', type: 'stdio', server_parameters, windows, ...more } as MCPServerConfig;
}

/** A server with a resource that is not a window, which the tools `write` and `silently` change. */
function noting(windows: Record<string, AdoptedWindow>): MCPServerConfig {
  const resources = [{ uri: 'file:///shopping.md', name: 'shopping' }];
  return { ...publishing({ resources, contents: { 'file:///shopping.md': 'milk' } }), windows };
}

async function desktop(office: Office): Promise<string[]> {
  return (await office.ask('client:get_desktop')).desktops ?? [];
}

describe('adopted windows', () => {
  test('a tool becomes a window that changes after calls of its server, and on demand', async () => {
    // The log has every request that the server got.
    const windows = { log: { tool: 'log', priority: 0.9, title: 'Requests' }, same: { resource: 'file:///same' } };
    await using office = await openOffice({ servers: { app: { ...publishing(), windows } } });
    let told = 0;
    office.agent.channel.on('notify:update_desktop', () => void told++);
    const uri = 'window://local.app/log';
    const [first = '', second] = await desktop(office);
    expect(first).toContain(`${uri}\n\n{"requests":`);
    expect(second).toBe('window://local.app/same\n\ntext of file:///same');
    expect((await office.ask('client:get_resources', { mcp_server: 'app' })).resources).toMatchObject([
      { uri, title: 'Requests', annotations: { priority: 0.9, audience: ['assistant'] } },
      { uri: 'window://local.app/same' },
    ]);
    await office.callTool('notify', { times: 0 });
    await eventually(() => expect(told).toBe(1));
    const [before = ''] = await desktop(office);
    expect(before).toContain('notify');
    const { contents } = await office.ask('client:read_resource', { uri });
    expect(String(contents[0]?.text).length).toBeGreaterThan(before.length - uri.length);
    expect((await office.ask('client:get_config')).servers.app).not.toHaveProperty('windows');
    expect(office.computer.history).toHaveLength(1);
  });

  test('a period refreshes a window, and a script shapes its text', async () => {
    const windows = {
      log: { tool: 'log', every: '1s', vrl: '.text = "length: " + to_string(length(string!(.text)))' },
    };
    await using office = await openOffice({ servers: { app: { ...publishing(), windows } } });
    const seen = new Set<string>();
    await eventually(async () => {
      for (const window of await desktop(office)) seen.add(window);
      expect(seen.size).toBeGreaterThan(1);
    });
    for (const window of seen) expect(window).toMatch(/^window:\/\/local\.app\/log\n\nlength: \d+$/);
  });

  test('a window that cannot be shown says why', async () => {
    const windows = {
      echo: { tool: 'echo' },
      fail: { tool: 'fail' },
      none: { tool: 'none' },
      shown: { tool: 'shown' },
    };
    const config = tooling(windows, { tool_meta: { fail: { auto_apply: true } } });
    await using office = await openOffice({ servers: { 'my-tools': config } });
    await eventually(async () => {
      const texts = (await desktop(office)).map(window => window.split('\n\n')[1]);
      expect(texts).toEqual([
        "The window 'echo' cannot be shown: the tool 'echo' is not called, because it is neither read-only nor 'auto_apply'",
        expect.stringMatching(/^The window 'fail' cannot be shown: \S/),
        "The window 'none' cannot be shown: the tool 'none' is not called, because the MCP server has no such tool, or it is forbidden",
        expect.not.stringContaining('cannot be shown'),
      ]);
    });
  });

  test('a rule of the owner wins over a read-only tool', async () => {
    const config = tooling({ shown: { tool: 'shown' } });
    const policy = [{ tool: 'shown', decision: 'deny' as const }];
    await using office = await openOffice({ servers: { 'my-tools': config }, policy });
    expect(await desktop(office)).toEqual([expect.stringContaining('rule 1 of the policy does not allow it')]);
  });

  test.each(['write', 'silently'])('a resource becomes a window that shows what %s has changed', async tool => {
    await using office = await openOffice({ servers: { app: noting({ todo: { resource: 'file:///shopping.md' } }) } });
    expect(await desktop(office)).toEqual(['window://local.app/todo\n\nmilk']);
    await office.callTool(tool, { uri: 'file:///shopping.md', text: 'bread' });
    await eventually(async () => expect(await desktop(office)).toEqual(['window://local.app/todo\n\nbread']));
  });

  test('a file of the official filesystem server is a window, and follows the file', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'shopping.md');
    writeFileSync(path, 'milk');
    const program = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
    const files = {
      name: 'files',
      type: 'stdio' as const,
      server_parameters: { command: process.execPath, args: [program, folder] },
      windows: { todo: { tool: 'read_text_file', arguments: { path }, every: '1s' } },
    };
    await using office = await openOffice({ servers: { files } });
    expect(await desktop(office)).toEqual(['window://local.files/todo\n\nmilk']);
    writeFileSync(path, 'bread');
    await eventually(async () => expect(await desktop(office)).toEqual(['window://local.files/todo\n\nbread']));
  });

  test('windows return with a server that was lost', async () => {
    await using office = await openOffice({ servers: { app: noting({ todo: { resource: 'file:///shopping.md' } }) } });
    await office.callTool('write', { uri: 'file:///shopping.md', text: 'bread' });
    await eventually(async () => expect(await desktop(office)).toEqual(['window://local.app/todo\n\nbread']));
    await office.callTool('exit');
    await eventually(async () => expect(await desktop(office)).toEqual(['window://local.app/todo\n\nmilk']));
    await office.callTool('write', { uri: 'file:///shopping.md', text: 'butter' });
    await eventually(async () => expect(await desktop(office)).toEqual(['window://local.app/todo\n\nbutter']));
  });

  test('windows of the server itself stand beside them, but not in their place', async () => {
    const resources = [
      { uri: 'window://com.example.app/a', name: 'a' },
      { uri: 'window://local.app/todo', name: 'fake' },
    ];
    const app = {
      ...publishing({ resources, contents: {} }),
      windows: { todo: { resource: 'file:///x', priority: 1 } },
    };
    await using office = await openOffice({ servers: { app } });
    expect(await desktop(office)).toEqual([
      'window://local.app/todo\n\ntext of file:///x',
      'window://com.example.app/a\n\ntext of window://com.example.app/a',
    ]);
  });

  test('a window that names nothing, or a script that does not compile, blocks its server with the reason', async () => {
    await using office = await openOffice({ servers: { app: noting({ both: { tool: 'a', resource: 'b' } }) } });
    expect(office.computer.status()[0]).toMatchObject({
      state: 'failed',
      error: expect.stringContaining("servers.app.windows.both: name either a 'tool' or a 'resource'"),
    });
    await office.computer.addServer(noting({ a: { resource: 'b', vrl: 'nonsense(' } }));
    expect(office.computer.status()[0]?.error).toContain('servers.app.windows.a.vrl');
    await expect(office.computer.addServer(noting({ a: { resource: 'b', every: 'often' } }))).rejects.toThrow("'10s'");
    await office.computer.addServer(noting({ a: { resource: 'file:///shopping.md' } }));
    expect(stateOf(office.computer, 'app')).toBe('ready');
    expect(await desktop(office)).toEqual(['window://local.app/a\n\nmilk']);
  });
});
