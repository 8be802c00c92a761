import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SmcpServer } from '@a2c-smcp/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPackages } from '../build.ts';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';

const run = promisify(execFile);
const binary = join(root, 'packages/cli/bin/a2c.js');

beforeAll(buildPackages, 120_000);

describe('a2c demo', () => {
  test('without a terminal it gives the tour and ends with 0', async () => {
    const { stdout, stderr } = await run(process.execPath, [binary, 'demo', '--port', '0']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/agent +guide/);
    expect(stdout).toMatch(/calculate expression='sqrt\(1764\)' {2}→ {2}42/);
    expect(stdout).toContain('window://workbench/status');
    expect(stdout).toContain('dpe://documents/sales.xlsx/pages/0');
    expect(stdout).toMatch(/\d\d:\d\d:\d\d {2}Hello from the tour/);
  });

  test('takes the next port when the wanted one is taken', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const taken = Number(new URL(server.url).port);
    const { code, out } = await a2c(['demo', '--port', String(taken)]);
    expect(code).toBe(0);
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(out) ?? [];
    expect(Number(port)).toBeGreaterThan(taken);
  });
});
