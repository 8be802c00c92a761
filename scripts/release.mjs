/**
 * Publishes the packages whose version the registry does not have: checks, tests and builds first, dependencies before
 * those that need them, so that a release that breaks off can be installed and continued. Further words are passed on to
 * `npm publish`, as in `--no-provenance`; `--only-publish` leaves out checks and tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const options = words.filter(word => word !== '--only-publish');
const manifests = readdirSync(join(root, 'packages')).map(folder => ({
  folder,
  ...JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')),
}));

if (!words.includes('--only-publish')) {
  checkState(manifests[0]);
  for (const script of ['check', 'check:packages', 'test']) npm('run', '--silent', script);
}
// Outputs of sources that are gone would be published, too.
for (const { folder } of manifests) {
  for (const output of ['dist', 'tsconfig.tsbuildinfo']) {
    rmSync(join(root, 'packages', folder, output), { recursive: true, force: true });
  }
}
npm('run', '--silent', 'build');
for (const { name, version, folder } of inOrder(manifests)) {
  if (isPublished(`${name}@${version}`)) process.stdout.write(`${name}@${version} is published already\n`);
  else npm('publish', '--workspace', `packages/${folder}`, ...options);
}

/** The commit, the changelog and the address must be those of this version. */
function checkState({ version, repository }) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const problems = [];
  if (git('status', '--porcelain') !== '') problems.push('there are changes that are not committed');
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version},`)) {
    problems.push(`CHANGELOG.md has no heading for ${version}: run 'npm run version'`);
  }
  const [slug = ''] = /[^/:]+\/[^/]+?(?=(\.git)?$)/.exec(git('config', '--default', '', 'remote.origin.url')) ?? [];
  if (!repository.url.endsWith(`/${slug}.git`) || slug === '') {
    problems.push(`'repository' of package.json is not where this comes from ('${slug}'): see RELEASING.md`);
  }
  if (problems.length === 0) return;
  process.stderr.write(`Not released: ${problems.join('; ')}\n`);
  process.exit(1);
}

/** Dependencies first. */
function inOrder(all, done = []) {
  const isReady = ({ dependencies = {} }) =>
    all.every(({ name }) => !(name in dependencies) || done.some(each => each.name === name));
  const ready = all.filter(each => !done.includes(each) && isReady(each));
  return ready.length === 0 ? done : inOrder(all, [...done, ...ready]);
}

function isPublished(specifier) {
  const registry = options.filter(word => word.startsWith('--registry'));
  const { status, stdout } = spawnSync('npm', ['view', specifier, 'version', ...registry], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() !== '';
}

function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
