// Pictures of a console in Chromium, for the scripts that draw them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const SIZES = [
  [390, 844],
  [1280, 800],
  [1920, 1080],
];

/** Opens an address of a console in a browser of a language. */
export async function openPictures(address, locale = 'en-GB') {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
  const tab = await context.newPage();
  await tab.goto(address);
  await tab.waitForSelector('.tile');

  /** One screen as a PNG; `visit` leads to it. */
  const draw = async ({ name, theme, width, height, visit }, folder) => {
    mkdirSync(folder, { recursive: true });
    await tab.setViewportSize({ width, height });
    await tab.emulateMedia({ colorScheme: theme });
    await visit(tab);
    await tab.waitForSelector('main h1', { state: 'attached' });
    await tab.waitForFunction(() => document.querySelector('[aria-busy]') === null);
    await tab.waitForTimeout(600);
    await tab.screenshot({ path: join(folder, `${name}.png`) });
  };

  return {
    draw,
    /** Every screen, at three widths and in both themes. `screens` maps names to what leads to them. */
    async drawAll(screens, folder) {
      for (const theme of ['light', 'dark']) {
        for (const [width, height] of SIZES) {
          for (const [name, visit] of Object.entries(screens)) {
            await draw({ name: `${name}-${width}-${theme}`, theme, width, height, visit }, folder);
          }
        }
      }
    },
    close: () => browser.close(),
  };
}
