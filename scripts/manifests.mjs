/**
 * Writes what package.json of the repository decides into everything that repeats it: the address into the manifests and
 * READMEs of the packages, the version of the packages into the constant that programs report.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const address = addressOf(readJson('package.json'));
const folders = readdirSync(join(root, 'packages'));

for (const folder of folders) {
  const path = join('packages', folder, 'package.json');
  const { name, version, description, keywords, license, ...rest } = readJson(path);
  const before = addressOf(rest);
  const shared = {
    homepage: `${address}/tree/main/packages/${folder}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: `git+${address}.git`, directory: `packages/${folder}` },
    publishConfig: { access: 'public', provenance: true },
  };
  for (const field of Object.keys(shared)) delete rest[field];
  writeJson(path, { name, version, description, keywords, license, ...shared, ...rest });
  if (before !== undefined) replaceIn(join('packages', folder, 'README.md'), `${before}/`, `${address}/`);
}

const { version } = readJson('packages/core/package.json');
writeFileSync(
  join(root, 'packages/core/src/version.ts'),
  `/** The version of all packages. \`npm run version\` writes it. */\nexport const VERSION = '${version}';\n`,
);

function addressOf({ repository }) {
  return repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function writeJson(path, value) {
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
}

function replaceIn(path, before, after) {
  const text = readFileSync(join(root, path), 'utf8');
  writeFileSync(join(root, path), text.replaceAll(before, after));
}
