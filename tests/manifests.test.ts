import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@a2c-smcp/core';
import { parseComputerConfig } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { address, packages, root } from './packages.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.each(packages())('the manifest of $manifest.name', ({ folder, manifest }) => {
  const readme = read(`packages/${folder}/README.md`);

  test('says where the package comes from, as package.json of the repository does', () => {
    expect(manifest).toMatchObject({
      homepage: `${address}/tree/main/packages/${folder}#readme`,
      bugs: `${address}/issues`,
      repository: { type: 'git', url: `git+${address}.git`, directory: `packages/${folder}` },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.keywords).toContain('a2c-smcp');
  });

  test('has the version that programs report, and asks for the same version of the others', () => {
    expect(manifest.version).toBe(VERSION);
    const others = { ...manifest.dependencies, ...manifest.peerDependencies };
    const ours = Object.entries(others).filter(([name]) => name.startsWith('@a2c-smcp/'));
    expect(ours.filter(([, range]) => range !== `^${VERSION}`)).toEqual([]);
  });

  test('comes with a README that says how to install it and whose links work on the page of the registry', () => {
    expect(readme).toMatch(new RegExp(`^npm install .*${manifest.name}( |$)`, 'm'));
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter(link => !/^(https:\/\/|#)/.test(link))).toEqual([]);
  });
});

test.each(['.github/pull_request_template.md', '.github/ISSUE_TEMPLATE/config.yml'])(
  '%s links the repository',
  path => {
    const links = read(path).match(/https:\/\/\S+/g) ?? [];
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(link => !link.startsWith(`${address}/`))).toEqual([]);
  },
);

test('deploy/kubernetes names the image of this version', () => {
  const [owner] = new URL(address).pathname.slice(1).split('/');
  expect(read('deploy/kubernetes/kustomization.yaml')).toContain(
    `newName: ghcr.io/${owner}/a2c-server\n    newTag: ${VERSION}\n`,
  );
});

test('the build of the images is sent the scripts that it runs', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...read('deploy/Dockerfile').matchAll(/npm run (\S+)/g)].map(([, name = '']) => scripts[name]);
  const files = named.flatMap(script => [...script.matchAll(/node (\S+)/g)].map(([, file]) => file));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(file => !isSentToDocker(file))).toEqual([]);
  expect(isSentToDocker('packages/core/dist/index.js')).toBe(false);
});

test('deploy/mcp.json is a valid configuration', () => {
  expect(() => parseComputerConfig(JSON.parse(read('deploy/mcp.json')))).not.toThrow();
});

test('NOTICE of vrl names the crates that the module was built from', () => {
  const lock = read('packages/vrl/wasm/Cargo.lock');
  const notice = read('packages/vrl/NOTICE');
  const crates = [...notice.matchAll(/^- (\S+) (\S+), .*: https:\/\/crates\.io\/crates\/\1\/\2$/gm)];
  expect(crates.length).toBeGreaterThan(200);
  const unknown = crates.filter(([, name, version]) => !lock.includes(`name = "${name}"\nversion = "${version}"\n`));
  expect(unknown.map(([line]) => line)).toEqual([]);
  const { vrl } = JSON.parse(read('packages/vrl/wasm/vrl.json'));
  expect(notice).toContain(`- vrl ${vrl}, MPL-2.0: https://crates.io/crates/vrl/${vrl}\n`);
});

/** True if a file is left by `.dockerignore`: the last pattern that matches it or a folder above decides. */
function isSentToDocker(path: string): boolean {
  const lines = read('.dockerignore').trim().split('\n');
  return lines.reduce((isSent, line) => {
    const [, not, pattern = ''] = /^(!?)(.*)$/.exec(line) ?? [];
    const parts = pattern.split('**').map(part => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'));
    return new RegExp(`^${parts.join('.*').replace(/^\.\*\//, '(.*/)?')}(/.*)?$`).test(path) ? not === '!' : isSent;
  }, true);
}
