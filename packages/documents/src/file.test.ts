import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type FileLocation, isOpenedInside, isSameInside } from './file.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'a2c-location-')));
afterAll(() => rmSync(root, { recursive: true }));

const link = join(root, 'shared/link');
const location: FileLocation = { path: join(link, 'x.md'), folders: [join(root, 'shared')] };

/** Lets the link lead to another folder. */
function lead(target: string): void {
  rmSync(link, { force: true });
  symlinkSync(join(root, target), link);
}

describe
  .runIf(process.platform !== 'win32')
  .each<[how: string, check: (fd: number, location: FileLocation) => boolean]>([
    ['as the system names it', isOpenedInside],
    ['by its number', isSameInside],
  ])('a check of open files, %s,', (_, check) => {
  beforeEach(() => {
    for (const folder of ['shared/real', 'outside', 'shared-too']) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, 'x.md'), folder);
    }
  });

  test('an open file is inside when its path leads inside', async () => {
    lead('shared/real');
    await using handle = await open(location.path);
    expect(check(handle.fd, location)).toBe(true);
  });

  test.each(['outside', 'shared-too'])('an open file is not inside when its path led to %s', async target => {
    lead(target);
    await using handle = await open(location.path);
    expect(check(handle.fd, location)).toBe(false);
  });

  test('an open file is not inside when its path led outside and leads inside again', async () => {
    lead('outside');
    await using handle = await open(location.path);
    lead('shared/real');
    expect(check(handle.fd, location)).toBe(false);
  });

  test('an open file is not inside when it was deleted outside', async () => {
    lead('outside');
    await using handle = await open(location.path);
    unlinkSync(join(root, 'outside/x.md'));
    expect(check(handle.fd, location)).toBe(false);
  });
});
