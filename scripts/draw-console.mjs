// Makes the pictures of docs/guide/console.md: a real Server, Computer and Agent, and Chromium.
//
//   npm run build && node scripts/draw-console.mjs
//   node scripts/draw-console.mjs --all DIR [zh-CN]    every screen, at three widths and in both themes, to look at

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { openOwnerConsole } from '@a2c-smcp/console/owner';
import { SmcpServer } from '@a2c-smcp/server';
import { openPictures } from './console-pictures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const REPORT = encodeURIComponent('dpe://local.documents/sales.xlsx');
const SCREENS = ['overview', 'questions', 'calls', 'calls/LAST', 'servers', 'servers/weather', 'tools', 'tools/order'];
const MORE = ['inputs', 'desktop', 'finder', `finder/${REPORT}`, 'policy', 'pins', 'audit', 'config'];
/** The pictures of the guide. */
const PICTURES = [
  { name: 'overview', route: 'overview', theme: 'light', width: 1280, height: 800 },
  { name: 'question', route: 'questions', theme: 'light', width: 1280, height: 800 },
  { name: 'calls', route: 'calls/LAST', theme: 'dark', width: 1280, height: 800 },
  { name: 'finder', route: `finder/${REPORT}`, theme: 'light', width: 1280, height: 800 },
  { name: 'phone', route: 'overview', theme: 'dark', width: 390, height: 844 },
];

const [, , flag, folder, locale] = process.argv;
const work = mkdtempSync(join(tmpdir(), 'a2c-pictures-'));
const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
const computer = await Computer.open({
  name: 'studio',
  configFile: configuration(),
  audit: { file: join(work, 'audit.jsonl') },
  tools: { order: orderTool() },
});
await computer.join(server.url, { office: 'lighthouse' });
const desk = {
  computer,
  serverUrl: () => server.url,
  configFile: '~/.config/a2c-smcp/mcp.json',
  auditFile: join(work, 'audit.jsonl'),
};
const page = await openOwnerConsole(desk);
const agent = await Agent.connect(server.url, { name: 'assistant', office: 'lighthouse' });
await makeCalls();
const pictures = await openPictures(page.issueAddress(), locale);
if (flag === '--all') {
  const screens = [...SCREENS, ...MORE].map(route => [
    decodeURIComponent(route).replaceAll(/\W+/g, '-'),
    visitOf(route),
  ]);
  await pictures.drawAll(Object.fromEntries(screens), folder);
} else {
  for (const { route, ...picture } of PICTURES) {
    await pictures.draw({ ...picture, visit: visitOf(route) }, join(root, 'docs/guide/console'));
  }
}

await pictures.close();
await page.close();
await agent.close();
await computer.close();
await server.close();
rmSync(work, { recursive: true });

/** Leads a tab to a route, by way of another so that a dialog or a choice of the last picture is gone. */
function visitOf(route) {
  return async tab => {
    await tab.goto(`${page.url}#/overview`);
    if (route.endsWith('/LAST')) {
      await tab.goto(`${page.url}#/calls`);
      await tab.locator('tbody a', { hasText: 'read_file' }).first().click();
    } else await tab.goto(`${page.url}#/${route}`);
  };
}

function configuration() {
  const node = (...args) => ({ type: 'stdio', server_parameters: { command: process.execPath, args } });
  const files = join(work, 'files');
  mkdirSync(files);
  writeFileSync(
    join(files, 'roast-plan.md'),
    '# Roast plan\n\n| Day | Blend | Bags |\n| --- | --- | --- |\n| Monday | Harbour | 6 |\n| Tuesday | Old Town | 4 |\n| Thursday | Station | 8 |\n\nThe **new roaster** arrives on Friday; see [the manual](https://example.com/roaster).\n',
  );
  writeFileSync(
    join(work, 'weather.mjs'),
    "console.error('[weather] the service refused the key (401)');\nprocess.exit(1);\n",
  );
  const config = {
    inputs: [
      {
        id: 'weather-key',
        type: 'promptString',
        description: 'Key of the weather service',
        password: true,
        default: 'none',
      },
      {
        id: 'region',
        type: 'pickString',
        description: 'Region of the shops',
        options: ['coast', 'inland'],
        default: 'coast',
      },
    ],
    policy: [
      { tool: 'delete_*', decision: 'deny', reason: 'Nothing is deleted on this machine' },
      { tool: 'order', decision: 'ask', reason: 'Orders cost money' },
    ],
    servers: {
      workbench: {
        ...node(join(root, 'packages/cli/workbench/main.js'), files),
        default_tool_meta: { auto_apply: true },
      },
      documents: {
        ...node(
          join(root, 'packages/documents/bin/a2c-documents.js'),
          join(root, 'examples/documents/files'),
          '--authority',
          'local.documents',
          '--no-index',
        ),
        default_tool_meta: { auto_apply: true },
      },
      everything: node(join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')),
      weather: node(join(work, 'weather.mjs')),
    },
  };
  const file = join(work, 'mcp.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

function orderTool() {
  const properties = {
    item: { type: 'string', description: 'What to order' },
    bags: { type: 'integer', description: 'How many bags' },
    express: { type: 'boolean', description: 'Deliver tomorrow' },
  };
  const schema = { type: 'object', properties, required: ['item', 'bags'] };
  return { description: 'Orders beans from the wholesaler.', schema, run: ({ item }) => `Ordered ${item}` };
}

/** Some calls of an Agent, of which one waits for an answer. */
async function makeCalls() {
  const call = (tool, params = {}) =>
    agent.callTool({ computer: 'studio', tool, params }, { timeout: 600_000 }).catch(() => undefined);
  await call('calculate', { expression: 'sqrt(1764)' });
  await call('time', { timezone: 'Asia/Tokyo' });
  await call('list_files');
  await call('read_file', { path: 'nothing.md' });
  await call('note', { text: 'Checked the roast plan' });
  await call('search_documents', { query: 'coffee' });
  await call('read_file', { path: 'roast-plan.md' });
  void call('wait', { seconds: 600 });
  void call('order', { item: 'Harbour', bags: 6, express: true, note: 'For Monday; tell the roastery before noon.' });
}
