/**
 * Writes what package.json of the repository decides into everything that repeats it: the address into manifests, READMEs
 * of packages and templates, the version of the packages into the constant that programs report and the image to deploy,
 * both into `server.json`, the entry of a package in the MCP Registry.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const address = addressOf(readJson('package.json'));
const before = addressOf(readJson('packages/core/package.json'));
const [owner] = new URL(address).pathname.slice(1).toLowerCase().split('/');
const texts = ['.github/pull_request_template.md', '.github/ISSUE_TEMPLATE/config.yml'];

for (const folder of readdirSync(join(root, 'packages'))) {
  const path = join('packages', folder, 'package.json');
  const { name, version, description, keywords, license, ...rest } = readJson(path);
  const shared = {
    homepage: `${address}/tree/main/packages/${folder}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: `git+${address}.git`, directory: `packages/${folder}` },
    publishConfig: { access: 'public', provenance: true },
  };
  for (const field of Object.keys(shared)) delete rest[field];
  for (const peer of Object.keys(rest.peerDependencies ?? {})) {
    if (peer.startsWith('@a2c-smcp/')) rest.peerDependencies[peer] = `^${version}`;
  }
  const entry = join('packages', folder, 'server.json');
  if (existsSync(join(root, entry))) {
    const server = readJson(entry);
    // The registry takes an entry only from the owner of its namespace, for a package that names the entry.
    rest.mcpName = `io.github.${owner}/${server.name.split('/')[1]}`;
    writeJson(entry, {
      ...server,
      name: rest.mcpName,
      version,
      repository: { ...server.repository, url: address, subfolder: `packages/${folder}` },
      packages: server.packages.map(each => ({ ...each, identifier: name, version })),
    });
    texts.push(entry);
  }
  writeJson(path, { name, version, description, keywords, license, ...shared, ...rest });
  texts.push(join('packages', folder, 'README.md'));
}
for (const path of texts) {
  const text = readFileSync(join(root, path), 'utf8');
  writeFileSync(join(root, path), text.replaceAll(`${before}/`, `${address}/`));
}

const { version } = readJson('packages/core/package.json');
const manifests = join(root, 'deploy/kubernetes/kustomization.yaml');
writeFileSync(
  manifests,
  readFileSync(manifests, 'utf8')
    .replace(/newName: .*/, `newName: ghcr.io/${owner}/a2c-server`)
    .replace(/newTag: .*/, `newTag: ${version}`),
);
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
