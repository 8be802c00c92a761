/**
 * A release into a registry of its own on this machine, and what users do with it: `npx a2c-smcp demo` in an empty folder,
 * and the READMEs' examples against the installed packages, with each version of Node that is named (20, 22 and 24).
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const VERDACCIO = '6.7.4';
const START_TIMEOUT_MS = 60_000;
const FIRST_RUN_LIMIT_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24'];
const folder = mkdtempSync(join(tmpdir(), 'a2c-release-'));
const registry = `http://127.0.0.1:${await freePort()}`;
const env = {
  ...process.env,
  // Starts with an empty cache.
  npm_config_cache: join(folder, 'cache'),
  npm_config_update_notifier: 'false',
  // npm publishes only with a token; the registry takes any.
  [`npm_config_//${new URL(registry).host}/:_authToken`]: 'anybody',
};

const server = await startRegistry();
try {
  run('node', ['scripts/release.mjs', '--only-publish', `--registry=${registry}`, '--no-provenance']);
  for (const version of versions) tryOut(version, nodeOf(version));
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

function tryOut(version, node) {
  // `npx` of this version of Node, as its users have it.
  const path = `${join(node, '..')}:${env.PATH}`;
  const client = { ...env, PATH: path, npm_config_registry: registry };
  const project = emptyFolder(`project-${version}`);
  const names = readdirSync(join(root, 'packages')).map(
    name => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).name,
  );
  run('npm', ['install', '--silent', ...names, 'ai@6'], { cwd: project, env: client });
  const given = { A2C_TEST_PROJECT: project, A2C_TEST_NODE: node };
  run('npx', ['vitest', 'run', 'tests/pack.test.ts'], { env: { ...process.env, ...given } });

  // The registry has everything now, so that this does not measure the network. The user's cache is empty.
  const cache = join(folder, `cache-${version}`);
  const started = Date.now();
  const words = ['--yes', 'a2c-smcp', 'demo', '--port', '0'];
  run('npx', words, { cwd: emptyFolder(`npx-${version}`), env: { ...client, npm_config_cache: cache } });
  const took = Date.now() - started;
  process.stdout.write(`Node ${version}: npx a2c-smcp demo took ${Math.round(took / 1000)} s\n`);
  if (took > FIRST_RUN_LIMIT_MS) throw new Error('npx a2c-smcp demo must take less than a minute');
}

/** The path of a version of Node: this one, or what the npm package `node` brings. */
function nodeOf(version) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const place = emptyFolder(`node-${version}`);
  run('npm', ['install', '--silent', `node@${version}`], { cwd: place, env });
  return join(place, 'node_modules/node/bin/node');
}

function emptyFolder(name, fields = {}) {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type: 'module', ...fields }));
  return place;
}

async function startRegistry() {
  // A plugin of Verdaccio asks for a dist-tag of this dependency, which mirrors of npm may lack.
  const place = emptyFolder('registry', { overrides: { 'node-fetch': '2.7.0' } });
  run('npm', ['install', '--silent', `verdaccio@${VERDACCIO}`], { cwd: place, env });
  writeFileSync(
    join(place, 'config.yaml'),
    `storage: ./storage
uplinks: { npmjs: { url: https://registry.npmjs.org/, maxage: 30m } }
packages:
  '@a2c-smcp/*': { access: $all, publish: $all }
  'a2c-smcp': { access: $all, publish: $all }
  '**': { access: $all, proxy: npmjs }
log: { type: stdout, level: warn }
`,
  );
  const words = ['node_modules/verdaccio/bin/verdaccio', '--config', 'config.yaml', '--listen', registry];
  const child = spawn(process.execPath, words, { cwd: place, env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(200)) {
    if (child.exitCode !== null) throw new Error('The registry has ended');
    const answer = await fetch(`${registry}/-/ping`).catch(() => undefined);
    if (answer?.ok) return child;
  }
  child.kill();
  throw new Error('The registry does not answer');
}

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => listener.once('listening', resolve));
  const { port } = listener.address();
  await new Promise(resolve => listener.close(resolve));
  return port;
}

function run(program, words, options = {}) {
  const { status } = spawnSync(program, words, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (status !== 0) throw new Error(`'${program} ${words.join(' ')}' failed`);
}
