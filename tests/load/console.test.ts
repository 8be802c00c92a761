import { Agent, textOf } from '@a2c-smcp/agent';
import { openOwnerConsole } from '@a2c-smcp/console/owner';
import { SmcpServer } from '@a2c-smcp/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { configFile } from '../cli/config-file.ts';
import { hasPseudoTerminal, Key } from '../cli/pseudo-terminal.ts';
import { openShell, PROMPT } from '../cli/shell.ts';
import { openComputer } from '../computer/office.ts';
import { shows, visit } from '../console/browsing.ts';

/** Milliseconds of a frame while a list is scrolled: 16 at best, and more where tests share the processor. */
const MAX_FRAME_MS = 100;

let browser: Browser;

describe.skipIf(!chromiumPath)('in Chromium (needs chromium on the PATH)', () => {
  beforeAll(async () => {
    await buildPages();
    browser = await launchChromium();
  }, 120_000);
  afterAll(() => browser?.close());

  test('ten thousand tools and a hundred thousand lines of a log are scrolled smoothly', {
    timeout: 120_000,
  }, async () => {
    await using computer = await openComputer({ many: { manyTools: 10_000, pageSize: 1000 } });
    await using console = await openOwnerConsole({ computer });
    await using seat = await visit(browser, console.issueAddress());
    const { page } = seat;
    await seat.open('tools');
    await shows(page, /10000 tools take/);
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    expect(await frameTime(page, '.table-box')).toBeLessThan(MAX_FRAME_MS);
    await shows(page, /tool-9999/);
    await page.getByRole('searchbox').fill('tool-77');
    await shows(page, /111 tools take/);

    // A Computer passes on 1,000 lines a second, so that as many would take minutes.
    const line = { source: 'stderr', level: 'debug', at: Date.now() };
    const lines = Array.from({ length: 100_000 }, (_, index) => ({ ...line, text: `line ${index} of a long day` }));
    await page.route('**/log?*', route => route.fulfill({ json: { first: 0, next: lines.length, lines } }));
    await seat.open('servers/many');
    await page.getByRole('tab', { name: 'Log' }).click();
    await shows(page, /100,000 lines[\s\S]*line 99999 of a long day/);
    expect(await page.locator('.log-line').count()).toBeLessThan(100);
    expect(await frameTime(page, '.log')).toBeLessThan(MAX_FRAME_MS);
    await page.getByRole('searchbox', { name: 'Filter lines' }).fill('line 7777');
    await shows(page, /11 lines/);
    expect(seat.problems).toEqual([]);
  });

  test('seven tabs of one browser all show the state, live', { timeout: 120_000 }, async () => {
    await using computer = await openComputer({ scripted: {} });
    await using console = await openOwnerConsole({ computer });
    await using seat = await visit(browser, console.issueAddress());
    const tabs = [seat.page];
    for (let count = 1; count < 7; count++) {
      const tab = await seat.context.newPage();
      await tab.goto(console.url);
      await tab.waitForSelector('nav');
      tabs.push(tab);
    }
    await computer.disableServer('scripted');
    for (const tab of tabs) await shows(tab, /0\/1/);
    // The tab that held the stream is closed; another takes over.
    await seat.page.close();
    await computer.enableServer('scripted');
    for (const tab of tabs.slice(1)) await shows(tab, /1\/1/);
    expect(seat.problems).toEqual([]);
  });

  test('a page that is open while the Server and the console restart continues', { timeout: 120_000 }, async () => {
    await using computer = await openComputer({ scripted: {} });
    let server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const { port } = new URL(server.url);
    await computer.join(server.url, { office: 'demo' });
    let console = await openOwnerConsole({ computer });
    await using seat = await visit(browser, console.issueAddress());
    const { page } = seat;
    await shows(page, /in office demo/);
    await server.close();
    await shows(page, /reconnecting/);
    server = await SmcpServer.listen({ port: Number(port), gracePeriod: 0 });
    await shows(page, /in office demo/);
    await server.close();

    const { port: consolePort } = new URL(console.url);
    await console.close();
    await shows(page, /The console does not answer\. This page shows the last known state/);
    console = await openOwnerConsole({ computer, port: Number(consolePort) });
    // It knows no session of the former one.
    await shows(page, /Open this console with its address/);
    await page.goto(console.issueAddress());
    await shows(page, /1\/1/);
    await page.close();
    await console.close();
  });

  test.skipIf(!hasPseudoTerminal)(
    'a question that the terminal asks too is answered by a click, and the terminal withdraws it',
    { timeout: 120_000 },
    async () => {
      await using shell = await openShell(configFile({ tools: ['echo'] }));
      const { terminal, server } = shell;
      terminal.type(`console 0${Key.enter}`);
      await terminal.shows('#token=');
      const [address = ''] = /http:\S+#token=[\w-]+/.exec(terminal.screen) ?? [];
      await using seat = await visit(browser, address);
      await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
      const run = agent.callTool({ computer: 'desk', tool: 'echo', params: { say: 'hi' } });
      await terminal.shows('? Tool echo of MCP server scripted');
      const asked = terminal.length;
      await seat.open('questions');
      await seat.page.getByRole('button', { name: 'Run once' }).click();
      expect(textOf(await run)).toContain('hi');
      await terminal.shows(PROMPT, asked);
      const settled = terminal.length;
      const second = agent.callTool({ computer: 'desk', tool: 'echo', params: { say: 'ho' } });
      await shows(seat.page, /Run echo\?/);
      await terminal.shows('Run echo of scripted?', settled);
      terminal.type(`n${Key.enter}`);
      expect(textOf(await second)).toContain('not confirmed');
      await shows(seat.page, /No questions/);
    },
  );
});

/** Scrolls to the end in big steps and returns the median time of a frame: other processes delay single ones. */
function frameTime(page: Page, selector: string): Promise<number> {
  return page.evaluate(async wanted => {
    const box = document.querySelector(wanted) as HTMLElement;
    const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve));
    const times: number[] = [];
    let before = await frame();
    for (let step = 0; step <= 60; step++) {
      box.scrollTop = (box.scrollHeight * step) / 60;
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    times.sort((a, b) => a - b);
    return times[Math.floor(times.length / 2)] ?? 0;
  }, selector);
}
