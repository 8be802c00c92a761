import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentsClient, temporaryFolder } from '../documents/client.ts';
import { writeLongPdf, writeLongSheet } from '../documents/large-files.ts';

const MEGABYTE = 1024 * 1024;
const folder = temporaryFolder();
let client: DocumentsClient;

beforeAll(async () => {
  writeLongPdf(join(folder.path, 'long.pdf'), 1000);
  writeLongSheet(join(folder.path, 'long.xlsx'), 200_000);
  // One process for all, so that its peak is that of everything together.
  client = await DocumentsClient.open([folder.path]);
}, 60_000);
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The most memory a process ever had, where the system tells. */
function peakMemory(pid: number): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}

test('every page of a PDF of 1,000 pages is read in less than 400 MB', { timeout: 60_000 }, async ({ annotate }) => {
  const uri = 'dpe://documents/long.pdf';
  for (let offset = 0; offset < 1000; offset += 100) {
    const { pages = [], page_count } = await client.document(`${uri}?depth=pages&offset=${offset}&limit=100`);
    expect(page_count).toBe(1000);
    expect(pages.map(({ title }) => title)).toEqual(pages.map((_, index) => `Chapter ${offset + index + 1}`));
  }
  const { content_text } = await client.page(`${uri}/pages/999?format=text`);
  expect(content_text).toContain('Line 10 of chapter 1000 says');
  const peak = peakMemory(client.pid) ?? 0;
  annotate(`peak memory ${Math.round(peak / MEGABYTE)} MB`);
  expect(peak).toBeLessThan(400 * MEGABYTE);
});

test('a sheet of 200,000 rows is read in portions and with progress, in less than 400 MB', { timeout: 60_000 }, async ({
  annotate,
}) => {
  const uri = 'dpe://documents/long.xlsx';
  const progress: number[] = [];
  let isParsed = false;
  const parsing = client.mcp
    .readResource({ uri: `${uri}/pages/0` }, { onprogress: event => void progress.push(event.progress) })
    .finally(() => {
      isParsed = true;
    });
  expect(await client.document('dpe://documents/long.pdf')).toMatchObject({ page_count: 1000 });
  expect(isParsed, 'others are answered meanwhile').toBe(false);
  await parsing;
  expect(progress.length).toBeGreaterThan(1);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));

  const { elements } = await client.page(`${uri}/pages/0`);
  expect(elements).toHaveLength(1);
  const { content } = elements[0]!;
  expect(content).toMatchObject({ total_rows: 200_000, total_columns: 6 });
  expectRows(content, 1);
  const first = String(content.continued_in);
  for (const number of [1, 2, 3, ...Array.from({ length: 24 }, (_, step) => 40 * (step + 1)), 998, 999]) {
    const id = first.replace(/1$/, String(number));
    const portion = await client.element(`${uri}/elements/${id}`);
    expectRows(portion.content, number * 200 + 1);
    expect(portion.content.continued_in).toBe(number === 999 ? undefined : first.replace(/1$/, String(number + 1)));
  }
  const peak = peakMemory(client.pid) ?? 0;
  annotate(`peak memory ${Math.round(peak / MEGABYTE)} MB`);
  expect(peak).toBeLessThan(400 * MEGABYTE);
});

/** A portion has the rows it should, all of them and in their order. */
function expectRows(content: Record<string, unknown>, first: number): void {
  const expected = Array.from({ length: 200 }, (_, index) => {
    const n = first + index;
    return [n, `item ${n}`, n * n, n / 2, `group ${n % 97}`, `note on ${n}`];
  });
  expect(content.rows).toEqual(expected);
}
