import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FileVersion } from '../file.ts';
import { Indexer } from './indexer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const file = (name: string): FileVersion => ({
  path: `/${name}`,
  folders: ['/'],
  name,
  type: 'txt',
  size: 1,
  modified: 1,
});

/** An indexer whose files take that many milliseconds each, and the names of those that were started. */
function slowIndexer(milliseconds: number) {
  const started: string[] = [];
  const indexer = new Indexer(async ({ name }) => {
    started.push(name);
    await new Promise(resolve => setTimeout(resolve, milliseconds));
  });
  return { indexer, started };
}

/** Milliseconds that a listing waits. */
async function waited(listing: Promise<void>): Promise<number> {
  const begin = Date.now();
  let end = begin;
  void listing.then(() => (end = Date.now()));
  await vi.advanceTimersByTimeAsync(10_000);
  await listing;
  return end - begin;
}

test('an indexer opens files one after the other, each once, and a listing waits for its own', async () => {
  const { indexer, started } = slowIndexer(100);
  const shares: number[] = [];
  const first = indexer.open([file('a'), file('b')], { onProgress: share => shares.push(share) });
  const second = indexer.open([file('b'), file('c')]);
  expect(started).toEqual([]);
  await vi.advanceTimersByTimeAsync(150);
  expect(started).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(150);
  await Promise.all([first, second]);
  expect(started).toEqual(['a', 'b', 'c']);
  expect(shares).toEqual([0.5, 1]);
});

test('listings wait two seconds altogether while files are opened, and anew when the queue was empty', async () => {
  const { indexer, started } = slowIndexer(5000);
  expect(await waited(indexer.open([file('a'), file('b'), file('c')]))).toBe(2000);
  expect(started).toEqual(['a', 'b', 'c']);
  expect(await waited(indexer.open([file('d')]))).toBeLessThanOrEqual(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await waited(indexer.open([file('e')]))).toBe(2000);
});

test('listings do not wait while more than a thousand files are queued', async () => {
  const { indexer, started } = slowIndexer(1);
  const files = Array.from({ length: 1001 }, (_, index) => file(String(index)));
  expect(await waited(indexer.open(files))).toBeLessThanOrEqual(1);
  expect(started).toHaveLength(1001);
  expect(await waited(indexer.open(files.slice(1)))).toBe(1000);
});

test('a cancelled listing rejects, and its files stay in the queue', async () => {
  const { indexer, started } = slowIndexer(100);
  const controller = new AbortController();
  const listing = indexer.open([file('a'), file('b')], { signal: controller.signal });
  controller.abort('cancelled');
  await expect(listing).rejects.toBe('cancelled');
  await vi.advanceTimersByTimeAsync(500);
  expect(started).toEqual(['a', 'b']);
});

test('a closed indexer opens no further file', async () => {
  const { indexer, started } = slowIndexer(100);
  const listing = indexer.open([file('a'), file('b')]);
  await vi.advanceTimersByTimeAsync(50);
  indexer.close();
  await vi.advanceTimersByTimeAsync(500);
  await listing;
  expect(started).toEqual(['a']);
});
