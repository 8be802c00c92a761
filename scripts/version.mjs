/**
 * Gives all packages the version that the changesets ask for, and moves their texts and "Unreleased" of CHANGELOG.md below
 * a heading of that version. Without changesets it names the version that the packages have: the first release.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const today = new Date().toISOString().slice(0, 10);
const read = path => readFileSync(join(root, path), 'utf8');

const files = readdirSync(join(root, '.changeset')).filter(name => name.endsWith('.md') && name !== 'README.md');
// Below the front matter.
const texts = files.map(name => read(join('.changeset', name)).split(/^---$/m).slice(2).join('---').trim());
if (files.length > 0) {
  // Changesets raises the major version of a package whose peer gets another version, and with it that of all packages.
  renameFields('"peerDependencies":', '"heldPeers":');
  try {
    run('node_modules/@changesets/cli/bin.js', 'version');
  } finally {
    renameFields('"heldPeers":', '"peerDependencies":');
  }
}
run('scripts/manifests.mjs');
// The lock file repeats the versions of the workspaces.
execFileSync('npm', ['install', '--package-lock-only', '--silent'], { cwd: root, stdio: 'inherit' });

const { version } = JSON.parse(read('packages/core/package.json'));
const changelog = read('CHANGELOG.md');
if (changelog.includes(`\n## ${version},`))
  throw new Error(`CHANGELOG.md has ${version} already: add a changeset first`);
const [head, ...rest] = changelog.split(/^## Unreleased\n/m);
if (rest.length !== 1) throw new Error("CHANGELOG.md needs one heading '## Unreleased'");
const lines = texts.filter(Boolean).map(text => `- ${text.replaceAll('\n', '\n  ')}\n`);
const body = `${lines.join('')}${rest[0].replace(/^\n+/, '')}`;
writeFileSync(join(root, 'CHANGELOG.md'), `${head}## Unreleased\n\n## ${version}, ${today}\n\n${body}`);
process.stdout.write(`${version}: review the changes, commit them as 'release ${version}'\n`);

function renameFields(name, other) {
  for (const folder of readdirSync(join(root, 'packages'))) {
    const path = join('packages', folder, 'package.json');
    writeFileSync(join(root, path), read(path).replace(name, other));
  }
}

function run(script, ...words) {
  execFileSync(process.execPath, [join(root, script), ...words], { cwd: root, stdio: 'inherit' });
}
