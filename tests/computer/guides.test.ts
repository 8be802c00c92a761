import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { eventually, openOffice } from './office.ts';
import { type Era, eras } from './publishing.ts';

const guides = { 'docs/guide/desktop.md': 'build', 'docs/guide/finder.md': 'library' };

const fixture = (name: string) => join(root, `tests/fixtures/${name}-mcp-server.mjs`);

function example(name: string, era: Era): MCPServerConfig {
  return {
    name,
    type: 'stdio',
    mcp_protocol: era === 'modern' ? 'auto' : 'legacy',
    default_tool_meta: { auto_apply: true },
    server_parameters: { command: process.execPath, args: [fixture(name)] },
  };
}

const templates: Record<string, string> = { build: 'window-server', library: 'document-server' };

test.each(Object.entries(guides))('the example in %s is the one that is tested, and short', (guide, name) => {
  const [, ...code] = readFileSync(fixture(name), 'utf8').split('\n');
  expect(code.length).toBeLessThanOrEqual(26);
  const template = join(root, 'packages/cli/templates', templates[name] ?? '', 'typescript/server.ts');
  expect(readFileSync(template, 'utf8')).toBe(code.join('\n'));
  expect(readFileSync(join(root, guide), 'utf8')).toContain(`\`\`\`js\n${code.join('\n')}\`\`\``);
});

describe.each(eras)('made with the official SDK, of the %s era,', era => {
  test('the window of the guide reaches the Agent, and so does its change', async () => {
    await using office = await openOffice({ servers: { build: example('build', era) } });
    expect(office.computer.status()).toMatchObject([{ state: 'ready', era }]);
    let told = 0;
    office.agent.channel.on('notify:update_desktop', () => void told++);
    const uri = 'window://com.example.build/log';
    const { desktops } = await office.ask('client:get_desktop');
    expect(desktops).toEqual([`${uri}\n\nNothing was built yet.`]);
    await office.callTool('build', { target: 'the website' });
    await eventually(() => expect(told).toBe(1));
    const { desktops: fresh } = await office.ask('client:get_desktop');
    expect(fresh).toEqual([`${uri}\n\nNothing was built yet.\nBuilt the website.`]);
  });

  test('the document of the guide is found and read level by level', async () => {
    await using office = await openOffice({ servers: { library: example('library', era) } });
    const { documents = [] } = await office.ask('client:get_finder', { keywords: ['sales'], file_type: 'pdf' });
    expect(documents).toMatchObject([{ title: 'Report', page_count: 2, server: 'library' }]);
    const uri = documents[0]?.uri ?? '';
    const read = async (path: string) => {
      const { contents } = await office.ask('client:get_dpe', { uri: uri + path });
      return JSON.parse(String(contents[0]?.text));
    };
    expect(await read('')).toMatchObject({ title: 'Report', page_count: 2 });
    const page = await read('/pages/1?format=json');
    expect(page).toMatchObject({ page_index: 1, elements: [{ content: { text: 'Costs went down.' } }] });
    expect(await read(`/elements/${page.elements[0].element_id}`)).toMatchObject({ category: 'text', page_index: 1 });
    await expect(read('/pages/2')).rejects.toMatchObject({ code: 4202, details: { page_index: 2, page_count: 2 } });
    await expect(read('/elements/none')).rejects.toMatchObject({ code: 4203, details: { element_id: 'none' } });
    const other = office.ask('client:get_dpe', { uri: 'dpe://com.example.library/other' });
    await expect(other).rejects.toMatchObject({ code: 4201, details: { doc_ref: 'other' } });
  });
});
