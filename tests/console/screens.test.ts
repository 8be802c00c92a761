import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type CallToolResult, textOf } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { startA2c } from '../cli/a2c.ts';
import { scripted } from '../computer/office.ts';
import { eventually } from '../eventually.ts';
import { bundled } from '../programs.ts';
import { shows, type Visit, violations, visit } from './browsing.ts';
import { signInAndOut } from './sign-in-and-out.ts';

const showing = bundled('showing-mcp-server');
const asking = bundled('asking-mcp-server');

/** The configuration file that the console may change. */
const folder = mkdtempSync(join(tmpdir(), 'a2c-console-'));
const file = join(folder, 'mcp.json');
const program = (path: string, meta: object = {}) => ({
  type: 'stdio',
  server_parameters: { command: process.execPath, args: [path] },
  ...meta,
});
const CONFIG = {
  inputs: [
    { id: 'token', type: 'promptString', description: 'The token of the bank', password: true, default: 'none' },
  ],
  policy: [{ tool: 'say', decision: 'deny', reason: 'It talks too much' }],
  servers: {
    showing: program(showing, {
      tool_meta: { show: { auto_apply: true }, steps: { auto_apply: true }, wait: { auto_apply: true } },
    }),
    asking: program(asking, { default_tool_meta: { auto_apply: true } }),
    broken: scripted({ exit: 'start', say: 'the disk is full' }, { name: 'broken' }),
  },
};

let browser: Browser;
let server: SmcpServer;
let computer: ReturnType<typeof startA2c>;
let agent: Agent;
let seat: Visit;
let page: Page;
let address: string;

describe.skipIf(!chromiumPath)('in Chromium (needs chromium on the PATH)', () => {
  beforeAll(async () => {
    await buildPages();
    writeFileSync(file, JSON.stringify(CONFIG, null, 2));
    server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const words = [
      'computer',
      '-u',
      server.url,
      '-o',
      'demo',
      '--name',
      'desk',
      '-c',
      file,
      '--console',
      '0',
      '--service',
    ];
    computer = startA2c([...words, '--audit', join(folder, 'audit.jsonl'), '--pins', join(folder, 'pins.json')]);
    await computer.shows('#token=');
    [address = ''] = /http:\S+#token=\S+/.exec(computer.out) ?? [];
    agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
    browser = await launchChromium();
    seat = await visit(browser, address);
    ({ page } = seat);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await agent?.close();
    await computer?.stop();
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  const call = (tool: string, params: Record<string, unknown> = {}, signal?: AbortSignal) =>
    agent.callTool({ computer: 'desk', tool, params }, { timeout: 60_000, ...(signal ? { signal } : {}) });
  const click = (name: string | RegExp, within = page.locator('main')) =>
    within.getByRole('button', { name, exact: typeof name === 'string' }).click();

  test('an address opens one browser, leaves no token behind, and survives a reload', async () => {
    expect(page.url()).not.toContain('token');
    expect(await page.evaluate(() => [document.cookie, history.length > 2])).toEqual(['', false]);
    await page.reload();
    await shows(page, /in office/);
    await using other = await browser.newContext().then(async context => {
      const stranger = await context.newPage();
      await stranger.goto(address);
      await shows(stranger, /Open this console with its address/);
      return { [Symbol.asyncDispose]: () => context.close() };
    });
    expect(other).toBeDefined();
  });

  test('the overview lists what needs attention, and what happens, live', async () => {
    await seat.open('overview');
    await shows(page, /The MCP server “broken” has failed/);
    const [result] = await Promise.all([call('show', { kind: 'rows' }), shows(page, /show\s+assistant\s+ok/)]);
    expect(textOf(result)).toContain('Harbour');
    await page.getByRole('link', { name: /broken.*has failed/ }).click();
    await shows(page, /the disk is full/);
  });

  test('a confirmation is answered by a click: run, refuse with a reason, other arguments', async () => {
    await seat.open('questions');
    const run = call('order', { item: '<b>tea</b>', count: 2 });
    await shows(page, /Run order\?[\s\S]*Agent assistant in office[\s\S]*able to destroy[\s\S]*"<b>tea<\/b>"/);
    await click('Run once');
    expect(textOf(await run)).toContain('"count":2');
    await shows(page, /No questions/);
    const refused = call('order', { item: 'tea', count: 3 });
    await click('Refuse with a reason …');
    await page.getByLabel('Reason, which the Agent reads').fill('too much tea');
    await click('Refuse', page.getByRole('dialog'));
    expect(textOf(await refused)).toContain('too much tea');
    await shows(page, /No questions/);
    const edited = call('order', { item: 'tea', count: 4 });
    await click('Change the arguments …');
    await page.getByRole('dialog').getByLabel('Arguments').fill('{"item":"tea","count":1}');
    await click('Run with these', page.getByRole('dialog'));
    expect(textOf(await edited)).toContain('"count":1');
    await shows(page, /No questions/);
  });

  test('a form and an address of an MCP server are answered by a click', async () => {
    await seat.open('questions');
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, colour: { type: 'string', enum: ['red', 'blue'] } },
      required: ['name'],
    };
    const form = call('ask', { message: 'Who are <i>you</i>?', schema });
    await shows(page, /Who are <i>you<\/i>\?/);
    await page.getByLabel(/name/).fill('Ada');
    await page.getByRole('combobox', { name: 'colour' }).selectOption('blue');
    await click('Send');
    expect(JSON.parse(textOf(await form))).toMatchObject({
      action: 'accept',
      content: { name: 'Ada', colour: 'blue' },
    });
    const visited = call('ask', { message: 'Sign in', url: 'https://bank.example/login' });
    await shows(page, /bank\.example/);
    expect(await page.getByRole('link', { name: 'Open bank.example' }).getAttribute('rel')).toContain('noreferrer');
    await click('Decline');
    expect(JSON.parse(textOf(await visited))).toMatchObject({ action: 'decline' });
  });

  test('a running call shows its progress and result, and is cancelled by a click', async () => {
    await seat.open('calls');
    const steps = call('steps');
    await page.getByRole('row', { name: /steps.*running/ }).click();
    await shows(page, /a quarter · 1\/4/);
    expect(textOf(await steps)).toContain('steps');
    await shows(page, /Decided by\s+auto_apply/);
    const endless = call('wait');
    await page.getByRole('row', { name: /wait.*running/ }).click();
    await click('Cancel');
    expect(textOf(await endless)).toContain('The owner of this computer stopped the call');
    await shows(page, /cancelled/);
  });

  test('a result is shown as what it is, and nothing of it becomes markup', async () => {
    const shown: Record<string, RegExp> = {
      markdown: /<script>window\.hacked = 2<\/script>[\s\S]*click javascript:window\.hacked=3 and site example\.com/,
      rows: /shop\s+cups\s+Harbour\s+9/,
      tree: /deep: \{ 1 \}/,
      drawing: /image\/svg\+xml, \d+ bytes, is not shown/,
    };
    // The newest call is on top as soon as the page knows of it.
    const openCall = async (kind: string) => {
      await call('show', { kind });
      await eventually(async () => {
        await page.getByRole('link', { name: 'show', exact: true }).first().click();
        await page.getByText(`kind: "${kind}"`).waitFor({ timeout: 500 });
      });
    };
    await seat.open('calls');
    for (const [kind, expected] of Object.entries(shown)) {
      await openCall(kind);
      await shows(page, expected);
    }
    for (const [kind, element] of Object.entries({ picture: 'img.picture', sound: 'audio' })) {
      await openCall(kind);
      await page.waitForSelector(element);
    }
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  });

  test('an MCP server is stopped, started, added with a log, and removed, in the file too', async () => {
    await seat.open('servers/showing');
    await click('Stop');
    await shows(page, /showing\s+stopped/);
    await click('Start');
    await shows(page, /showing\s+ready/);
    await shows(page, /Ask for the till first/);
    await click('Add a server');
    const dialog = page.getByRole('dialog');
    const { command, args } = scripted({ say: 'hello log', tools: ['tea'] }, { name: 'x' })
      .server_parameters as never as {
      command: string;
      args: string[];
    };
    await dialog.getByLabel('Name', { exact: true }).fill('extra');
    await dialog.getByLabel('Command or address').fill([command, ...args.map(word => `'${word}'`)].join(' '));
    await click('Add a server', dialog);
    await shows(page, /extra\s+ready/);
    await page.getByRole('tab', { name: 'Log' }).click();
    await shows(page, /hello log/);
    expect(JSON.parse(readFileSync(file, 'utf8')).servers).toHaveProperty('extra');
    await click('Remove');
    await click('Remove', page.getByRole('dialog'));
    await eventually(() => expect(JSON.parse(readFileSync(file, 'utf8')).servers).not.toHaveProperty('extra'));
    await eventually(async () => expect(await page.getByRole('link', { name: 'extra' }).count()).toBe(0));
  });

  test('an owner signs in by the question and by the page of the MCP server, and signs out', () => signInAndOut(seat));

  test('a tool shows its weight and schema, is tried with a form, and its consent is written into the file', async () => {
    await seat.open('tools/order');
    await shows(page, /asks first[\s\S]*about \d+, by its name/);
    await page.getByRole('checkbox', { name: 'Run it without asking' }).check();
    await shows(page, /'auto_apply' is set for the tool/);
    expect(readFileSync(file, 'utf8')).toMatch(/"order": \{\s+"auto_apply": true/);
    await page.getByRole('tab', { name: 'Schema' }).click();
    await shows(page, /properties: \{ 5 \}[\s\S]*item: /);
    await page.getByRole('tab', { name: 'Try it' }).click();
    await click('Run');
    await shows(page, /It needs a value\./);
    await page.getByLabel(/^item/).fill('tea');
    await page.getByLabel(/^count/).fill('two');
    await click('Run');
    await shows(page, /no valid integer/);
    await page.getByLabel(/^count/).fill('2');
    await page.getByLabel(/^size/).selectOption('large');
    await page.getByLabel(/^gift/).selectOption('true');
    await page.getByLabel(/^notes/).fill('["warm"]');
    await click('Run');
    await shows(page, /args: \{ 5 \}[\s\S]*gift: true/);
  });

  test('the Desktop is the one that the Agent gets, with what is left out of it', async () => {
    await seat.open('desktop');
    await shows(page, /Cups today: 9 <b>bold<\/b>/);
    const [window = ''] = await agent.getDesktop('desk');
    const body = await page.locator('main pre').first().innerText();
    expect(`window://com.example.shop/till\n\n${body}`).toBe(window);
    await shows(page, /A window is left out: it has no text\s+window:\/\/com\.example\.shop\/picture/);
  });

  test('a document is found, and read page by page', async () => {
    await seat.open('finder');
    await page.getByRole('searchbox').fill('nothing of the kind');
    await shows(page, /Nothing found/);
    await page.getByRole('searchbox').fill('annual');
    await page.getByRole('link', { name: 'Annual report' }).click();
    await shows(page, /Chapter 1[\s\S]*a good year/);
    await page.getByRole('link', { name: 'Chapter 2' }).click();
    await page.getByRole('tab', { name: /Elements/ }).click();
    await shows(page, /tbl-1[\s\S]*shop\s+cups\s+Harbour\s+9/);
  });

  test('policy, pins and audit say what was decided, and the chain is whole', async () => {
    await seat.open('policy');
    await shows(page, /denied\s+tool say\s+It talks too much/);
    await page.getByLabel('Tool').fill('say');
    await click('Test');
    await shows(page, /It talks too much \(/);
    await seat.open('pins');
    await page.getByRole('row', { name: /order/ }).getByRole('button', { name: 'Forget' }).click();
    await click('Forget', page.getByRole('dialog'));
    await eventually(async () => expect(await page.getByRole('row', { name: /order/ }).count()).toBe(0));
    await seat.open('audit');
    await page.getByRole('searchbox').fill('order');
    await shows(page, /order\s+assistant\s+refused\s+console/);
    await click('Check the chain');
    await shows(page, /lines are unchanged and complete/);
  });

  test('an input is set without being shown, and the file is saved after a look at the difference', async () => {
    await seat.open('inputs/token');
    await page.getByRole('dialog').getByLabel('The token of the bank').fill('s3cr3t-value');
    await click('Save', page.getByRole('dialog'));
    await shows(page, /stored/);
    expect(await page.content()).not.toContain('s3cr3t-value');
    await seat.open('config');
    await click('Show and edit the file');
    const editor = page.getByLabel('Configuration file');
    const text = await editor.inputValue();
    await editor.fill(text.replace('"policy"', '"polity"'));
    await click('Review the changes');
    await shows(page, /polity/);
    expect(await page.getByRole('button', { name: 'Save and apply' }).isDisabled()).toBe(true);
    await click('Edit again');
    await editor.fill(text.replace('It talks too much', 'It never stops'));
    await click('Review the changes');
    await shows(page, /-.*It talks too much[\s\S]*\+.*It never stops/);
    await click('Save and apply');
    // The next page would end the request.
    await shows(page, /Saved\. MCP servers/);
    await seat.open('policy');
    await shows(page, /It never stops/);
    expect(readFileSync(file, 'utf8')).toBe(text.replace('It talks too much', 'It never stops'));
  });

  test('every screen is free of axe violations in both themes, and keys reach all of them', {
    timeout: 120_000,
  }, async () => {
    const routes = ['overview', 'questions', 'calls', 'servers/showing', 'tools/order', 'inputs', 'desktop'];
    const asked: Promise<CallToolResult> = call('ask', { message: 'Who?' });
    const more = ['finder', 'finder/dpe%3A%2F%2Fcom.example.shop%2Freport', 'policy', 'pins', 'audit', 'config'];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const route of [...routes, ...more]) {
        await seat.open(route);
        await eventually(async () => expect(await page.locator('[aria-busy]').count()).toBe(0));
        // Only colours depend on the theme.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
        expect(await violations(page, rules), `${route} in ${colorScheme}`).toEqual([]);
      }
    }
    // As a phone has it: one thing at a time.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const route of ['overview', 'tools/order', 'servers/showing']) {
      await seat.open(route);
      expect(await violations(page), `${route} on a phone`).toEqual([]);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths[0], `${route} is not wider than a phone`).toBeLessThanOrEqual(widths[1] ?? 0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.palette-input:focus');
    await page.keyboard.type('finder');
    await page.locator('.palette-item[aria-selected=true]', { hasText: 'Finder' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await eventually(() => expect(page.url()).toContain('#/finder'));
    await seat.open('questions');
    await click('Not now');
    expect(JSON.parse(textOf(await asked))).toMatchObject({ action: 'cancel' });
  });

  test('Chinese is chosen by the language of the browser', async () => {
    const another = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch('/api/session/address', { method: 'POST', headers, body: '{}' });
      return (await response.json()).address as string;
    });
    await using other = await visit(browser, another, { locale: 'zh-CN' });
    await shows(other.page, /概览[\s\S]*需要您处理/);
    expect(await other.page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(other.problems).toEqual([]);
  });

  test('no page has reported an error or a violation of its policy', () => {
    expect(seat.problems).toEqual([]);
  });
});
