import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@a2c-smcp/core';
import { expect, test } from 'vitest';
import { temporaryFolder } from './computer/temporary.ts';
import { packages, root } from './packages.ts';

const [major = 0, minor = 0, patch = 0] = VERSION.split('.').map(Number);

test.each([
  ['patch', `${major}.${minor}.${patch + 1}`],
  ['minor', `${major}.${minor + 1}.0`],
  ['major', `${major + 1}.0.0`],
])('a changeset that is %s makes all packages %s, and everything that repeats the version', (bump, version) => {
  const folder = copyOfManifests();
  writeFileSync(join(folder, '.changeset/news.md'), `---\n"a2c-smcp": ${bump}\n---\n\nSomething that users notice.\n`);
  // The lock file has all that npm must know.
  const env = { ...process.env, npm_config_offline: 'true' };
  execFileSync(process.execPath, [join(folder, 'scripts/version.mjs')], { env, stdio: 'pipe' });
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  for (const { folder: name } of packages()) {
    const { dependencies, peerDependencies, ...manifest } = JSON.parse(read(`packages/${name}/package.json`));
    const ours = Object.entries({ ...dependencies, ...peerDependencies }).filter(([key]) =>
      key.startsWith('@a2c-smcp/'),
    );
    expect([manifest.version, ...ours.map(([, range]) => range)]).toEqual([version, ...ours.map(() => `^${version}`)]);
  }
  expect(JSON.parse(read('packages/cli/server.json'))).toMatchObject({ version, packages: [{ version }] });
  expect(read('packages/core/src/version.ts')).toContain(`'${version}'`);
  expect(read('deploy/kubernetes/kustomization.yaml')).toContain(`newTag: ${version}\n`);
  expect(JSON.parse(read('package-lock.json')).packages['packages/core'].version).toBe(version);
  expect(read('CHANGELOG.md')).toMatch(
    new RegExp(`## Unreleased\n\n## ${version}, \\d{4}-\\d\\d-\\d\\d\n\n- Something that users notice\\.\n`),
  );
});

/** A copy of the files that the script reads and writes. */
function copyOfManifests(): string {
  const folder = temporaryFolder();
  for (const path of [
    '.changeset',
    '.github',
    'deploy',
    'scripts',
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
  ]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const { folder: name } of packages()) {
    for (const file of ['package.json', 'README.md', 'server.json']) {
      const path = join('packages', name, file);
      if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path));
    }
  }
  mkdirSync(join(folder, 'packages/core/src'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
