import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { Site } from '@a2c-smcp/console';
import { openOwnerConsole } from '@a2c-smcp/console/owner';
import { scriptedServer } from '@a2c-smcp/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { documentsCommand, temporaryFolder } from '../documents/client.ts';
import { heic, png, tiff } from '../documents/image-files.ts';
import { draw, PAGE } from '../documents/scanned-files.ts';
import { eventually } from '../eventually.ts';
import { shows, type Visit, violations, visit } from './browsing.ts';
import { type Answer, ask, type Client, openClient } from './console.ts';

const folder = temporaryFolder();
const host = 'com.example.pictures';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Evil</title><script>document.title="run"</script></svg>';
let computer: Computer;
let client: Client;

beforeAll(async () => {
  const files = {
    'dawn.png': png(60, 40),
    'bomb.png': png(1, 1, [], { width: 60_000, height: 60_000 }),
    'drawing.svg': svg,
    // Named like a picture that browsers show.
    'fake.png': svg,
    'phone.heic': heic(40, 30, tiff([])),
    'large.bmp': Buffer.concat([Buffer.from('BM'), Buffer.alloc(6 * 1024 * 1024)]),
    'scan.pdf': await draw(pdf => pdf.image(png(80, 60), 0, 0, PAGE)),
    'notes.md': '# Notes\n\nNo picture here.\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder.path, name), content);
  const args = [documentsCommand, folder.path, '--authority', host, '--no-index'];
  computer = await Computer.open({
    name: 'desk',
    servers: { pictures: { name: 'pictures', type: 'stdio', server_parameters: { command: process.execPath, args } } },
  });
  client = await openClient({ computer });
});
afterAll(async () => {
  await client.console.close();
  await computer.close();
  folder[Symbol.dispose]();
});

/** The picture of a document or element, as the page of the console gets it. */
function picture(uri: string): Promise<Answer> {
  const { cookie = '' } = client.headers;
  return ask(client.console.url, `/api/v1/picture?uri=${encodeURIComponent(uri)}`, { headers: { cookie } });
}

test.each(['no JSON', '7', '{"elements":{}}', '{"elements":[null,7,{"category":"image"}]}'])(
  'a document whose page is %s has no picture',
  async text => {
    const uri = 'dpe://com.example.odd/doc';
    const resource = { uri, name: 'doc', _meta: { page_count: 1 } };
    await using odd = await Computer.open({
      name: 'odd',
      servers: { odd: scriptedServer({ resources: [resource], contents: { text }, subscribe: true }) },
    });
    const other = await openClient({ computer: odd });
    const { cookie = '' } = other.headers;
    const answer = await ask(other.console.url, `/api/v1/picture?uri=${encodeURIComponent(uri)}`, {
      headers: { cookie },
    });
    await other.console.close();
    expect(answer.status).toBe(204);
  },
);

test('a picture is sent with a fixed type that no browser runs', async () => {
  const { status, headers } = await picture(`dpe://${host}/dawn.png`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
  });
  expect((await picture(`dpe://${host}/scan.pdf`)).headers['content-type']).toBe('image/png');
});

test.each(['drawing.svg', 'fake.png', 'bomb.png', 'large.bmp', 'phone.heic', 'notes.md'])(
  'the console sends no picture of %s',
  async name => {
    const { status, body } = await picture(`dpe://${host}/${name}`);
    expect([status, body]).toEqual([204, '']);
  },
);

test('a picture needs a session, and an address of a document', async () => {
  const path = `/api/v1/picture?uri=${encodeURIComponent(`dpe://${host}/dawn.png`)}`;
  expect((await ask(client.console.url, path)).status).toBe(401);
  expect((await picture('file:///etc/passwd')).status).toBeGreaterThanOrEqual(400);
  expect((await picture(`dpe://${host}/missing.png`)).status).toBe(404);
});

describe.skipIf(!chromiumPath)('in Chromium (needs chromium on the PATH)', () => {
  let browser: Browser;
  let seat: Visit;
  let closing: () => Promise<void>;

  beforeAll(async () => {
    await buildPages();
    const opened = await openOwnerConsole({ computer, files: Site.load() });
    closing = () => opened.close();
    browser = await launchChromium();
    seat = await visit(browser, opened.issueAddress());
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await closing?.();
  });

  const drawn = (selector: string) =>
    seat.page
      .locator(selector)
      .evaluateAll(images => images.map(image => (image as unknown as { naturalWidth: number }).naturalWidth));

  test('the list shows small pictures of picture documents, and an icon where there is none', async () => {
    await seat.open('finder');
    await shows(seat.page, /dawn/);
    await eventually(async () => expect(await drawn('img.thumbnail')).toEqual([60]));
    const row = (name: string) => seat.page.getByRole('row', { name });
    expect(await row('bomb').locator('.thumbnail-box svg').count()).toBe(1);
    expect(await row('notes').locator('.thumbnail-box').count()).toBe(0);
  });

  test('a page and its elements show their pictures, and a drawing runs nothing', async () => {
    await seat.open(`finder/${encodeURIComponent(`dpe://${host}/scan.pdf`)}`);
    await eventually(async () => expect(await drawn('.document-pictures img')).toEqual([80]));
    await seat.page.getByRole('tab', { name: /Elements/ }).click();
    await eventually(async () => expect(await drawn('img.document-picture')).toEqual([80]));
    await seat.open(`finder/${encodeURIComponent(`dpe://${host}/drawing.svg`)}`);
    await shows(seat.page, /SVG picture/);
    await eventually(async () => expect(await drawn('main img')).toEqual([]));
    expect(await seat.page.title()).not.toBe('run');
  });

  test('the screens with pictures are free of axe violations in both themes, and report no error', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await seat.page.emulateMedia({ colorScheme });
      for (const route of ['finder', `finder/${encodeURIComponent(`dpe://${host}/dawn.png`)}`]) {
        await seat.open(route);
        await eventually(async () => expect(await drawn('main img')).toContain(60));
        expect(await violations(seat.page), `${route} in ${colorScheme}`).toEqual([]);
      }
    }
    expect(seat.problems).toEqual([]);
  });
});
