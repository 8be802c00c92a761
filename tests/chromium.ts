import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Chromium is on this machine, if it is. */
export const chromiumPath = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'chromium'))
  .find(existsSync);

const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page in a real browser that has loaded one script. */
export interface BrowserPage extends AsyncDisposable {
  page: Page;
  /** Where the page comes from, as in `http://127.0.0.1:8000`. */
  origin: string;
  /** The errors of the page. */
  problems: string[];
}

/** Starts headless Chromium. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: quietly });
}

/** Serves an empty page with a module and opens it in headless Chromium. */
export async function openPage(script: string): Promise<BrowserPage> {
  const http = createServer((request, response) => {
    const isScript = request.url === '/script.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><script type="module" src="/script.js"></script>');
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const browser = await launchChromium();
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(origin);
  return {
    page,
    origin,
    problems,
    async [Symbol.asyncDispose]() {
      await browser.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
