import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { root } from '../packages.ts';

const site = join(root, 'packages/console/dist/site');
/** The files that are loaded lazily. */
const LAZY = /^(markdown|plot|uPlot|zh-CN)/i;
const BUDGET_BYTES = 60_000;

beforeAll(buildPages, 120_000);

test('the pages take at most 60 kB compressed, without what is loaded when it is needed', () => {
  const files = readdirSync(join(site, 'assets'));
  expect(files.some(name => LAZY.test(name))).toBe(true);
  const sizeOf = (name: string) => compressed(join(site, 'assets', name));
  // A console is for the owner of a Computer or for operators, and loads one of the two.
  const surfaces = files.filter(name => name.startsWith('surface')).map(sizeOf);
  const others = files.filter(name => !LAZY.test(name) && !name.startsWith('surface')).map(sizeOf);
  const total = [compressed(join(site, 'index.html')), ...others, Math.max(...surfaces)];
  expect(total.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(BUDGET_BYTES);
});

test('the page loads nothing from elsewhere and has no script or style of its own', () => {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
  expect(sources.length).toBeGreaterThan(2);
  expect(sources.filter(source => !source?.startsWith('./'))).toEqual([]);
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/);
});

function compressed(path: string): number {
  return gzipSync(readFileSync(path)).length;
}
