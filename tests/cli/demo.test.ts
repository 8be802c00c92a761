import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SmcpServer } from '@a2c-smcp/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { a2c, type Ran } from './a2c.ts';

describe('a2c demo without a terminal, when its port is taken', () => {
  let taken: number;
  let ran: Ran;

  beforeAll(async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    taken = Number(new URL(server.url).port);
    ran = await a2c(['demo', '--port', String(taken)]);
  }, 120_000);

  test('a2c demo gives the tour and exits with 0', () => {
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatch(/agent +guide/);
    expect(ran.out).toMatch(/calculate expression='sqrt\(1764\)' {2}→ {2}42/);
    expect(ran.out).toContain('window://local.workbench/status');
    expect(ran.out).toContain('dpe://local.documents/sales.xlsx/pages/0');
    expect(ran.out).toMatch(/\d\d:\d\d:\d\d {2}Hello from the tour/);
  });

  test('a2c demo without a terminal gives no address of its console, which ends with it', () => {
    expect(ran.out).not.toContain('#token=');
    // Without pages, which `npm test` does not build, there is no console to mention.
    const hasPages = existsSync(join(root, 'packages/console/dist/site/index.html'));
    expect(ran.out.includes('In a terminal the office stays open, and its address is here.')).toBe(hasPages);
  });

  test('the picture of the demo shows the headings and tools of the tour', () => {
    const svg = readFileSync(join(root, 'docs/guide/demo.svg'), 'utf8').replaceAll('\u00a0', ' ');
    const drawn = [...svg.matchAll(/<text.*<\/text>/g)].map(([line]) => line.replaceAll(/<[^>]*>/g, ' '));
    const told = ran.out.split('\n').filter(line => /^ *● |^ {3}[a-z_]+ {2,}\S+ {2,}[A-Z]/.test(line));
    expect(told.length).toBeGreaterThan(10);
    const squeezed = (line: string) => line.trim().replaceAll(/\s+/g, ' ');
    // After a change of the tour: node scripts/draw-demo.mjs
    expect(drawn.map(squeezed)).toEqual(expect.arrayContaining(told.map(squeezed)));
  });

  test('a2c demo takes the next port when its own is taken', () => {
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(ran.out) ?? [];
    expect(Number(port)).toBeGreaterThan(taken);
  });
});
