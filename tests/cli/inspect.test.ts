import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { documentsCommand, examples } from '../documents/client.ts';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { a2c, startA2c } from './a2c.ts';
import { inspectScript, publishing, window, withoutTools } from './inspected.ts';

const workbench = join(root, 'packages/cli/workbench/main.js');
const node = process.execPath;

describe('a2c inspect', () => {
  test('a2c inspect finds nothing in the MCP servers of the demo', async () => {
    const scans = temporaryFolder();
    writeFileSync(join(scans, 'scan.xyz'), '');
    // One after the other: a change must be announced within 2 s, also on a busy machine.
    const note = ['--change', 'note', '-p', '{"text":"hi"}'];
    const shown = await a2c(['inspect', '--strict', ...note, '--', node, workbench, temporaryFolder()]);
    const documents = [documentsCommand, examples, scans, '--no-index', '--authority', 'local.documents'];
    const shelf = await a2c(['inspect', '--strict', '--', node, ...documents]);
    expect([shown.code, shown.err], shown.out).toEqual([0, '']);
    expect(shown.out).toMatch(
      /Tools: 6 \(about \d+ tokens\)[\s\S]*note +text +\d+ +Writes a line[\s\S]*window:\/\/local.workbench\/status[\s\S]*No findings/,
    );
    expect([shelf.code, shelf.err], shelf.out).toEqual([0, '']);
    expect(shelf.out).toMatch(/Documents: 11 \(11 read, with \d+ pages and \d+ elements\)[\s\S]*No findings/);
    expect(shelf.out).toContain('Not shown, because no reader knows them: 1 xyz');
  });

  test('a2c inspect names every fault of windows, and says why each is left out', async () => {
    const resources = [
      window('full', { _meta: { fullscreen: true } }),
      window('hidden', { annotations: { priority: 7, audience: ['user'] } }),
      window('asked?x=1', { annotations: { priority: 0.1 }, _meta: { fullscreen: true } }),
      window('blob'),
      window('broken'),
      window('full'),
      { uri: 'window://', name: 'bad' },
      { uri: 'window://App/page', annotations: { audience: ['assistant'] } },
    ];
    const contents = {
      'window://com.example.app/full': 'x'.repeat(9000),
      'window://com.example.app/blob': [{ uri: 'window://com.example.app/blob', blob: 'AA==' }],
      'window://App/page': '<!DOCTYPE html><p>hi',
    };
    const fail = { 'window://com.example.app/broken': { code: -32603 } };
    const { code, report, codes } = await inspectScript({ resources, contents, fail, capability: { subscribe: true } });
    expect(code).toBe(1);
    expect([...new Set(withoutTools(codes))].toSorted()).toEqual([
      'host-style',
      'list-no-changed',
      'resource-duplicate',
      'resource-no-name',
      'window-audience',
      'window-binary',
      'window-fullscreen-several',
      'window-long',
      'window-no-text',
      'window-priority-range',
      'window-unreadable',
      'window-uri-invalid',
      'window-uri-query',
    ]);
    const leftOut = Object.fromEntries(report.windows.map(({ uri, leftOut: why }) => [uri, why]));
    expect(leftOut['window://com.example.app/full']).toBeUndefined();
    expect(leftOut['window://com.example.app/hidden']).toBe(
      "hidden by the fullscreen window 'window://com.example.app/full'",
    );
    expect(leftOut['window://com.example.app/blob']).toBe('A window is left out: it has no text');
    expect(report.tools).toHaveLength(7);
    expect(report.tokens).toBeGreaterThan(10);
  });

  test('a2c inspect notices a change that is not announced, and windows without subscriptions', async () => {
    const script = { resources: [window('a', { annotations: { audience: ['assistant'] } }), window('b')] };
    const change = (tool: string) =>
      inspectScript(script, '--change', tool, '-p', JSON.stringify({ uri: 'window://com.example.app/a', text: 'new' }));
    const [silent, announced, unseen, undeclared] = await Promise.all([
      change('silently'),
      change('write'),
      inspectScript(script, '--change', 'log'),
      inspectScript({ ...script, capability: {} }),
    ]);
    expect(withoutTools(silent.codes)).toEqual(['window-stale']);
    expect([silent.code, announced.code]).toEqual([1, 0]);
    expect(withoutTools(announced.codes)).toEqual([]);
    expect(withoutTools(unseen.codes)).toEqual(['change-unseen']);
    expect(withoutTools(undeclared.codes)).toEqual(['list-no-changed', 'window-no-subscribe']);
  });

  test('a2c inspect walks all levels of documents', async () => {
    const uri = 'dpe://com.example.app/report';
    const body = { doc_ref: 'report', uri, file_uri: '', file_type: '', title: 'Report', page_count: 3 };
    const element = { element_id: 'e', category: 'text', content: { text: 'hi' } };
    const page = {
      page_index: 0,
      title: '',
      doc_ref: 'report',
      uri: `${uri}/pages/0`,
      elements: [element],
      element_count: 1,
    };
    const contents = Object.fromEntries(
      Object.entries({
        [uri]: body,
        [`${uri}?depth=pages&offset=0&limit=1`]: body,
        [`${uri}/pages/0`]: page,
        [`${uri}/pages/0?format=markdown`]: page,
        [`${uri}/pages/0?categories=video`]: page,
        [`${uri}/pages/1`]: { ...page, element_count: 7 },
        [`${uri}/elements/e`]: { ...element, element_id: 'f' },
      }).map(([address, value]) => [address, JSON.stringify(value)]),
    );
    const fail = { [`${uri}/pages/2`]: { code: 4202 } };
    const resources = [
      { uri, name: 'Report', _meta: { page_count: 2 } },
      { uri: 'dpe://com.example.app/a/b', name: 'bad' },
    ];
    const { code, codes, report } = await inspectScript({ resources, contents, fail });
    expect(code).toBe(1);
    expect([...new Set(withoutTools(codes))].toSorted()).toEqual([
      'document-catalogue',
      'document-categories',
      'document-element-missing',
      'document-error-codes',
      'document-format',
      'document-no-templates',
      'document-page-count',
      'document-page-invalid',
      'document-page-missing',
      'document-pages',
      'document-uri-invalid',
    ]);
    expect(report.documents).toMatchObject({ total: 1, walked: { documents: 1, pages: 2, elements: 2 } });
  });

  test('a2c inspect --watch reports again after a change, and restarts a server whose file changed', async () => {
    const file = join(temporaryFolder(), 'server.mjs');
    const write = (text: string) =>
      writeFileSync(
        file,
        `process.argv[2] = '${JSON.stringify({ resources: [window('a')], body: text })}';\nawait import('${publishing}');\n`,
      );
    write('first');
    const running = startA2c(['inspect', '--watch', node, file]);
    await running.shows('Waiting for changes');
    expect(running.out).toContain('first');
    write('second');
    await eventually(() => expect(running.out).toContain('second'));
    expect((await running.stop()).code).toBe(0);
  });

  test('a2c inspect takes a name of the configuration, and explains what does not start', async () => {
    const config = join(temporaryFolder(), 'mcp.json');
    const script = { resources: [window('a'), { uri: 'file:///plan.md', name: 'plan' }], body: '# The plan' };
    const server_parameters = { command: node, args: [publishing, JSON.stringify(script)] };
    const app = { type: 'stdio', server_parameters, disabled: true, documents: ['file://*', 'wiki://*'] };
    writeFileSync(config, JSON.stringify({ servers: { app } }));
    const { out } = await a2c(['inspect', 'app', '--config', config]);
    expect(out).toMatch(/^app ready[\s\S]*window:\/\/com.example.app\/a/);
    expect(out).toMatch(/The plan +md +1 +dpe:\/\/local\.app\/plan\.md-\w{10}/);
    expect(out).toMatch(/matches a pattern of 'documents' \(wiki:\/\/\*\) \[adopted-none\]/);
    const failed = await a2c(['inspect', node, '/nowhere.mjs']);
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('[mcp-failed]')]);
    expect((await a2c(['inspect'])).err).toContain('Give a COMMAND, a URL, or a NAME');
    expect((await a2c(['inspect', 'npx', '-y', 'x'])).err).toContain("write '--' before a COMMAND");
  });
});
