import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';

const part = (name: string) => import(pathToFileURL(join(root, 'packages/cli/workbench', name)).href);
const { calculate }: { calculate(expression: string): number } = await part('calculate.js');
const { Sandbox } = await part('sandbox.js');

describe('calculate', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['7 % 4 - 1.5e1', -12],
    ['sqrt(1764)', 42],
    ['max(1, 2, 3) + round(pi)', 6],
    ['1 / 0', Number.POSITIVE_INFINITY],
  ])('calculate evaluates %s to %d', (expression, value) => {
    expect(calculate(expression)).toBe(value);
  });

  test.each(['', '1 +', '(1', '1 2', 'x', 'constructor', 'constructor(1)', '__proto__', 'process', 'a.b'])(
    'calculate refuses %j',
    expression => {
      expect(() => calculate(expression)).toThrow(/expected|unexpected/);
    },
  );
});

describe('the folder of the demo', () => {
  test('the workbench lists and reads files of the demo folder', async () => {
    const sandbox = openSandbox();
    expect(await sandbox.list()).toMatch(/^ +5 {2}a\.txt\n +3 {2}sub\/b\.txt$/);
    expect(await sandbox.read('sub/b.txt')).toBe('sub');
  });

  test.each(['../secret.txt', '/etc/passwd', 'sub/../../secret.txt', 'link.txt', 'missing.txt'])(
    'the workbench does not read %s',
    async path => {
      await expect(openSandbox().read(path)).rejects.toThrow(/outside the folder|no file/);
    },
  );
});

/** A folder with two files and a link that leads out of it. */
function openSandbox(): { list(): Promise<string>; read(path: string): Promise<string> } {
  const parent = temporaryFolder();
  const folder = join(parent, 'demo');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'a.txt'), 'first');
  writeFileSync(join(folder, 'sub/b.txt'), 'sub');
  symlinkSync(join(parent, 'secret.txt'), join(folder, 'link.txt'));
  return new Sandbox(folder);
}
