import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fileStore, keychainStore } from '@a2c-smcp/computer';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary.ts';

test('a file store holds values encrypted, for its owner alone', async () => {
  const path = join(temporaryFolder(), 'deep', 'inputs.json');
  const store = await fileStore(path);
  await store.set('token', 'canary-value');
  await store.set('other', 'x');
  await store.delete('other');
  expect(readFileSync(path, 'utf8')).not.toContain('canary-value');
  for (const file of [path, `${path}.key`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await fileStore(path);
  expect(await again.get('token')).toBe('canary-value');
  expect(await again.get('other')).toBeUndefined();
});

test.each([
  ['a key that others can read', (path: string) => chmodSync(`${path}.key`, 0o640), /inputs\.key' is open .*chmod 600/],
  [
    'a key that others can write',
    (path: string) => chmodSync(`${path}.key`, 0o602),
    /inputs\.key' is open .*chmod 600/,
  ],
  ['a store that others can read', (path: string) => chmodSync(path, 0o604), /inputs' is open to other users/],
  ['a folder that others can change', (path: string) => chmodSync(dirname(path), 0o720), /can be changed.*chmod 700/],
  ['a key that is a link', (path: string) => relink(`${path}.key`), /inputs\.key' is a symbolic link/],
  ['a store that is a link', (path: string) => relink(path), /inputs' is a symbolic link/],
  ['an empty key', (path: string) => truncateSync(`${path}.key`), /inputs\.key' is empty: remove it/],
])('a file store is refused for %s, with what to do about it', async (_, spoil, message) => {
  const path = join(temporaryFolder(), 'inputs');
  await (await fileStore(path)).set('token', 'v');
  spoil(path);
  await expect(fileStore(path)).rejects.toThrow(message);
});

test.runIf(process.getuid?.() === 0)('a key or a folder of another user is refused', async () => {
  const path = join(temporaryFolder(), 'inputs');
  await fileStore(path);
  chownSync(`${path}.key`, 65_534, 65_534);
  await expect(fileStore(path)).rejects.toThrow("inputs.key' belongs to another user");
  chownSync(dirname(path), 65_534, 65_534);
  await expect(fileStore(path)).rejects.toThrow(/' belongs to another user: choose a folder/);
});

test('a planted link at the place of a draft is neither followed nor removed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'inputs');
  const store = await fileStore(path);
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, `${path}.${process.pid}.tmp`);
  await store.set('token', 'v');
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(lstatSync(path).isFile()).toBe(true);
  expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([`inputs.${process.pid}.tmp`]);
});

test('files are for their owner alone whatever the mask of the process', async () => {
  const path = join(temporaryFolder(), 'folder', 'inputs');
  const mask = process.umask(0);
  try {
    await (await fileStore(path)).set('token', 'v');
  } finally {
    process.umask(mask);
  }
  expect([dirname(path), path, `${path}.key`].map(file => statSync(file).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
});

test('two stores that are created at the same moment use one key', async () => {
  const path = join(temporaryFolder(), 'inputs');
  const [one] = await Promise.all([fileStore(path), fileStore(path, { passphrase: undefined }), fileStore(path)]);
  await one.set('token', 'v');
  expect(await (await fileStore(path)).get('token')).toBe('v');
});

test('a passphrase replaces the key file, and the wrong one opens nothing', async () => {
  const path = join(temporaryFolder(), 'inputs.json');
  await (await fileStore(path, { passphrase: 'right' })).set('token', 'v');
  expect(await (await fileStore(path, { passphrase: 'right' })).get('token')).toBe('v');
  await expect(fileStore(path, { passphrase: 'wrong' })).rejects.toThrow(/wrong passphrase/);
  writeFileSync(path, '{}');
  await expect(fileStore(path, { passphrase: 'right' })).rejects.toThrow(/cannot be read/);
});

test('a keychain works, or is refused at once', async () => {
  const store = await keychainStore('a2c-smcp-test').catch((error: Error) => error);
  if (store instanceof Error) {
    expect(store.message).toMatch(/keychain/i);
    return;
  }
  await store.set('token', 'v');
  expect(await store.get('token')).toBe('v');
  await store.delete('token');
  expect(await store.get('token')).toBeUndefined();
});

function relink(path: string): void {
  renameSync(path, `${path}.real`);
  symlinkSync(`${path}.real`, path);
}

test('processes that share a file store see each other, and exclude each other, also after one was killed', async () => {
  const path = join(temporaryFolder(), 'inputs');
  const store = await fileStore(path);
  await store.set('count', '0');
  const program = `
    import { fileStore } from '${new URL('../../packages/computer/dist/index.js', import.meta.url)}';
    const store = await fileStore(process.argv[1]);
    for (let round = 0; round < 10; round++) {
      await store.exclusively('count', async () => {
        const count = Number(await store.get('count'));
        await new Promise(resolve => setTimeout(resolve, 1));
        await store.set('count', String(count + 1));
      });
      await store.set('own ' + process.pid, String(round));
    }`;
  // Left behind by a process that is gone.
  writeFileSync(`${path}.lock`, '999999999', { mode: 0o600 });
  const run = promisify(execFile);
  await Promise.all([1, 2].map(() => run(process.execPath, ['--input-type=module', '-e', program, path])));
  expect(await store.get('count')).toBe('20');
  // Only the store and its key are left.
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['inputs', 'inputs.key']);
}, 60_000);
