import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SmcpServer } from '@a2c-smcp/server';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPackages } from './build.ts';
import { openComputer } from './computer/office.ts';
import { packages, root } from './packages.ts';

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'a2c-pack-'));
const shipped = packages().filter(({ manifest }) => manifest.private !== true);

/** An empty project with every public package, installed from what `npm pack` makes of it. */
beforeAll(async () => {
  await buildPackages();
  const folders = shipped.flatMap(({ folder }) => ['--workspace', `packages/${folder}`]);
  mkdirSync(join(project, 'tarballs'));
  const target = ['--json', '--pack-destination', join(project, 'tarballs')];
  const { stdout } = await run('npm', ['pack', ...folders, ...target], { cwd: root });
  const tarballs = Object.values<{ filename: string }>(JSON.parse(stdout)).map(
    ({ filename }) => `./tarballs/${filename}`,
  );
  expect(tarballs).toHaveLength(shipped.length);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const peers = shipped.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
  const others = peers.map(([name, range]) => `${name}@${range}`);
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--omit=optional'];
  await run('npm', ['install', ...tarballs, ...others, ...options], { cwd: project });
}, 300_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe.each(shipped)('$manifest.name, installed from its tarball', ({ folder, manifest }) => {
  const { exports: entries = {} } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));

  const modules = Object.keys(entries).filter(entry => !entry.endsWith('.wasm'));
  test.each(modules)('can be imported as %s', async entry => {
    const specifier = join(manifest.name, entry);
    const { stdout } = await node(
      '-e',
      `import(${JSON.stringify(specifier)}).then(m => console.log(Object.keys(m).length))`,
    );
    expect(Number(stdout)).toBeGreaterThan(0);
  });

  test('runs the example of its README', async () => {
    const [, snippet] = /```ts\n(.*?)```/s.exec(readIfAny(join(root, 'packages', folder, 'README.md'))) ?? [];
    if (snippet === undefined) return;
    await using stage = await setStage(folder);
    const file = join(project, `${folder}.mjs`);
    const { code } = await transform(snippet.replaceAll(/\b7[01]00\b/g, stage.port), {
      loader: 'ts',
      target: 'node20',
      format: 'esm',
    });
    writeFileSync(file, code);
    await expect(node(file)).resolves.toBeDefined();
  });
});

test('the a2c command gives its tour from an empty project', async () => {
  const { stdout } = await run('npx', ['--no-install', 'a2c', 'demo', '--port', '0'], { cwd: project });
  expect(stdout).toContain('Hello from the tour');
});

function node(...args: string[]): Promise<{ stdout: string }> {
  return run(process.execPath, args, { cwd: project, timeout: 30_000 });
}

function readIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What the example takes for granted: a Server, a Computer for an Agent, a configuration for a Computer, files. */
async function setStage(folder: string): Promise<AsyncDisposable & { port: string }> {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const { port } = new URL(server.url);
  writeFileSync(join(project, 'mcp.json'), JSON.stringify({ servers: {} }));
  // An example that listens itself finds its port free.
  if (['server', 'documents'].includes(folder)) await server.close();
  mkdirSync(join(project, 'reports'), { recursive: true });
  writeFileSync(join(project, 'reports/first.md'), '# The first report\n');
  const computer = await openComputer({ scripted: { tools: ['echo'] } });
  if (folder === 'agent') await computer.join(server.url, { office: 'demo' });
  return {
    port,
    async [Symbol.asyncDispose]() {
      await computer.close();
      await server.close();
    },
  };
}
