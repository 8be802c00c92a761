import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';

/** A browser at a console, with everything that went wrong in its pages. */
export interface Visit extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, of the console of the browser, and violations of the policy. */
  problems: string[];
  /** Opens a screen and waits for its heading. */
  open(route: string): Promise<void>;
}

/** Opens the address of a console in a browser of its own. */
export async function visit(browser: Browser, address: string, options: { locale?: string } = {}): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  // Fails with the name of what it waits for, before the test itself does.
  context.setDefaultTimeout(15_000);
  const problems: string[] = [];
  context.on('page', page => {
    page.on('pageerror', error => problems.push(error.message));
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector('nav');
  const { origin, pathname } = new URL(address);
  return {
    context,
    page,
    problems,
    async open(route) {
      await page.goto(`${origin}${pathname}#/${route}`);
      await page.waitForSelector('main h1');
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Finds barriers for readers with a screen reader, weak eyes or no mouse; by some rules only, if they are named. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // The policy of the page allows no foreign script, but the debugger is none.
  await page.evaluate(axe);
  return page.evaluate(async wanted => {
    const { axe } = globalThis as never as { axe: Axe };
    const { violations: found } = await axe.run(document, wanted ? { runOnly: wanted } : {});
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, rules);
}

interface Axe {
  run(
    context: Document,
    options: { runOnly?: string[] },
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** Waits until the page shows a text. */
export function shows(page: Page, text: string | RegExp): Promise<void> {
  return eventually(async () => expect(await page.locator('body').innerText()).toMatch(text));
}
