import { RawPeer } from '@a2c-smcp/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { a2c, startA2c } from '../cli/a2c.ts';
import { eventually } from '../eventually.ts';
import { shows, type Visit, violations, visit } from './browsing.ts';

const key = 'operator-key-for-tests';
const SCREENS = ['overview', 'offices', 'offices/demo', 'calls', 'moves', 'refusals', 'nodes'];

let browser: Browser;
let server: ReturnType<typeof startA2c>;
let url: string;
let seat: Visit;
let page: Page;
let agent: RawPeer;
let computer: RawPeer;
let count = 0;

const start = async (port: string) => {
  server = startA2c(['server', '--port', port, '--console', '--log-level', 'off'], { env: { A2C_OPERATOR_KEYS: key } });
  await server.shows('/console/#token=');
  const [address = ''] = /http:\S+#token=\S+/.exec(server.out) ?? [];
  return address;
};

const call = (more: object = {}) => {
  count += 1;
  const body = { agent: 'assistant', computer: 'desk', tool_name: 'echo', params: { secret: 'canary' }, timeout: 5 };
  return agent.ask('client:tool_call', { ...body, req_id: `r${count}`, ...more });
};

describe.skipIf(!chromiumPath)('the console of a Server in Chromium (needs chromium on the PATH)', () => {
  beforeAll(async () => {
    await buildPages();
    const address = await start('0');
    url = new URL(address).origin;
    agent = await RawPeer.join(url, 'agent', 'assistant', 'demo', { query: { a2c_version: '0.2.0' } });
    computer = await RawPeer.join(url, 'computer', 'desk', 'demo');
    computer.reply('client:tool_call', () => ({ content: [{ type: 'text', text: 'canary' }] }));
    browser = await launchChromium();
    seat = await visit(browser, address);
    ({ page } = seat);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    agent?.close();
    computer?.close();
    await server?.stop();
  });

  test('the overview shows what happens as it happens, with plots and without arguments and results', async () => {
    expect(page.url()).toBe(`${url}/console/#/`);
    await shows(page, /2\s+Members/);
    await call();
    await call({ computer: 'nobody' });
    await shows(page, /echo\s+demo\s+nobody\s+refused 404/);
    await shows(page, /echo\s+demo\s+desk\s+answered/);
    await shows(page, /Computer desk · demo\s+entered/);
    await eventually(async () => expect(await page.locator('.plot canvas').count()).toBe(2));
    await page.getByLabel('Event').selectOption('client:tool_call');
    expect(await page.content()).not.toContain('canary');
  });

  test('an office shows its members, and one is disconnected after a question', async () => {
    await using late = await RawPeer.join(url, 'computer', '<b>laptop</b>', 'demo');
    await seat.open('offices');
    await page.getByRole('link', { name: 'demo' }).click();
    await shows(page, /Agent\s+assistant[\s\S]*Protocol\s+0\.2\.0\s+Address\s+127\.0\.0\.1[\s\S]*<b>laptop<\/b>/);
    const button = page.locator('.member', { hasText: 'laptop' }).getByRole('button', { name: 'Disconnect' });
    await button.click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('withdraw its key first');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(late.socket.connected).toBe(true);
    await button.click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await shows(page, /“<b>laptop<\/b>” was disconnected/);
    await eventually(() => expect(late.socket.connected).toBe(false));
    await shows(page, /^(?![\s\S]*Computer\s+<b>laptop)/);
    expect([agent.socket.connected, computer.socket.connected]).toEqual([true, true]);
  });

  test('calls are found by their words and outcome, and hold still while they are paused', async () => {
    await seat.open('calls');
    await page.getByLabel('Search').fill('nobody');
    await shows(page, /refused 404/);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Outcome').selectOption('answered');
    await eventually(async () => expect(await page.locator('tbody').innerText()).not.toContain('refused'));
    await page.getByRole('button', { name: 'Pause' }).click();
    // Another tab gets its frames from the same stream.
    const other = await seat.context.newPage();
    await other.goto(`${url}/console/#/calls`);
    await call({ tool_name: 'later' });
    await shows(other, /later/);
    await other.close();
    expect(await page.locator('tbody').innerText()).not.toContain('later');
    await page.getByRole('button', { name: 'Continue' }).click();
    await shows(page, /later/);
  });

  test('refusals stand beside the limits, and the palette leads to an office', async () => {
    await using second = await RawPeer.connect(url);
    await second.enter('agent', 'another', 'demo');
    await seat.open('refusals');
    await shows(page, /Room already has an agent/);
    await shows(page, /Calls in flight of an Agent callsPerAgent\s+256/);
    await seat.open('nodes');
    await shows(page, /main \(this one\)\s+ok/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).fill('demo');
    await page.getByRole('option', { name: 'demo', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => expect(page.url()).toContain('#/offices/demo'));
    await shows(page, /Calls in flight/);
  });

  test('every screen can be used without a mouse and with weak eyes, in both themes and languages', async () => {
    for (const theme of ['light', 'dark']) {
      await page.evaluate(chosen => localStorage.setItem('a2c-console-theme', chosen), theme);
      await page.reload();
      for (const screen of SCREENS) {
        await seat.open(screen);
        await shows(page, /demo|main|256/);
        expect([screen, await violations(page)]).toEqual([screen, []]);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await seat.open('overview');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const { out } = await a2c(['server', 'console', '--url', url, '--key', key]);
    await using chinese = await visit(browser, out, { locale: 'zh-CN' });
    await shows(chinese.page, /概览[\s\S]*每秒调用数/);
    expect([...seat.problems, ...chinese.problems]).toEqual([]);
  });

  test('seven tabs share one stream, and a Server that was restarted asks for a new address', async () => {
    const tabs = await Promise.all(Array.from({ length: 6 }, () => seat.context.newPage()));
    await Promise.all(tabs.map(tab => tab.goto(`${url}/console/`)));
    for (const tab of tabs) await shows(tab, /2\s+Members/);
    await call({ tool_name: 'shared' });
    for (const tab of tabs) await shows(tab, /shared/);
    await Promise.all(tabs.map(tab => tab.close()));
    await server.stop();
    await shows(page, /does not answer/);
    await start(new URL(url).port);
    await shows(page, /Open this console with its address[\s\S]*a2c server console/);
  });
});
