import { expect } from 'vitest';
import { openProtectedServer } from '../computer/protected.ts';
import { eventually } from '../eventually.ts';
import { visit as consent } from '../fixtures/authorization-server.mjs';
import { shows, type Visit, violations } from './browsing.ts';

/** Adds an MCP server that wants OAuth to the console of a Computer, signs in and out in all ways, and removes it. */
export async function signInAndOut(seat: Visit): Promise<void> {
  const { page } = seat;
  const click = (name: string, within = page.locator('main')) =>
    within.getByRole('button', { name, exact: true }).click();
  const { url, authServer } = await openProtectedServer();
  const { origin: issuer } = new URL(authServer.issuer);
  // Its pages want fonts of another site.
  await seat.context.route(/fonts\.googleapis/, route => route.fulfill({ body: '', contentType: 'text/css' }));
  await seat.open('servers');
  await click('Add a server');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('bank');
  await dialog.getByLabel('Command or address').fill(url);
  await click('Add a server', dialog);
  await shows(page, /bank\s+sign-in needed/);

  await seat.open('overview');
  await page.getByRole('link', { name: /Sign in for bank/ }).click();
  await shows(page, /127\.0\.0\.1:\d+ wants to know who you are/);
  await click('Sign in');
  const way = dialog.getByRole('link', { name: `Go on at ${new URL(issuer).host}` });
  expect(await way.getAttribute('rel')).toBe('noreferrer noopener');
  expect(await violations(page)).toEqual([]);
  const [tab] = await Promise.all([seat.context.waitForEvent('page'), way.click()]);
  await tab.getByPlaceholder('Enter any login').fill('ada');
  await tab.getByPlaceholder('and password').fill('x');
  await tab.getByRole('button', { name: 'Sign-in' }).click();
  await tab.getByRole('button', { name: 'Continue' }).click();
  await shows(tab, /Signed in/);
  await tab.close();
  await shows(page, /You are signed in for bank/);
  expect(await dialog.count()).toBe(0);

  await seat.open('servers/bank');
  await shows(page, /bank\s+ready[\s\S]*Sign-in\s+signed in/);
  await click('Sign out');
  await shows(page, /bank\s+sign-in needed/);
  await click('Sign in');
  const cancelled = (await way.getAttribute('href')) ?? '';
  await click('Cancel', dialog);
  await eventually(async () => expect(await dialog.count()).toBe(0));
  // As on another machine, where the browser cannot reach the Computer and its address is pasted.
  await click('Sign in');
  await dialog.getByLabel('Or paste the address').fill(await consent(cancelled));
  await click('Finish', dialog);
  await shows(page, /That is not the address of this sign-in/);
  // The browser reports the refused request itself.
  expect(seat.problems.splice(0)).toEqual([expect.stringContaining('409')]);
  await dialog.getByLabel('Or paste the address').fill(await consent((await way.getAttribute('href')) ?? ''));
  await click('Finish', dialog);
  await shows(page, /bank\s+ready/);
  await click('Remove');
  await click('Remove', page.getByRole('dialog'));
  await eventually(async () => expect(await page.getByRole('link', { name: 'bank' }).count()).toBe(0));
}
