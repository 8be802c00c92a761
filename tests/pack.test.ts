import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SmcpServer } from '@a2c-smcp/server';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openComputer } from './computer/office.ts';
import { installShipped, type Project, shipped } from './installed.ts';
import { root } from './packages.ts';

const run = promisify(execFile);
let project: Project;

beforeAll(async () => {
  project = await installShipped();
}, 300_000);
afterAll(() => project[Symbol.dispose]());

test('every module of every package can be imported', async () => {
  const modules = shipped.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.keys(exports)
      .filter(entry => !entry.endsWith('.wasm'))
      .map(entry => join(name, entry)),
  );
  expect(modules).toContain('@a2c-smcp/agent/openai');
  const imports = modules.map((module, index) => `import * as module${index} from '${module}';`);
  const counts = modules.map((_, index) => `Object.keys(module${index}).length`);
  const file = join(project.folder, 'imports.mjs');
  writeFileSync(file, `${imports.join('\n')}\nconsole.log(JSON.stringify([${counts}]));\n`);
  const { stdout } = await node(file);
  const exported: number[] = JSON.parse(stdout);
  expect(modules.filter((_, index) => !exported[index])).toEqual([]);
});

describe.each(shipped)('$manifest.name, installed from its tarball', ({ folder, manifest }) => {
  test('brings its licence', () => {
    const licence = readIfAny(join(project.folder, 'node_modules', manifest.name, 'LICENSE'));
    expect(licence).toContain(readFileSync(join(root, 'LICENSE'), 'utf8').trim());
    expect(licence.includes('Mozilla Public')).toBe(manifest.name === '@a2c-smcp/vrl');
  });

  test('runs the example of its README', async () => {
    const [, snippet] = /```ts\n(.*?)```/s.exec(readIfAny(join(root, 'packages', folder, 'README.md'))) ?? [];
    if (snippet === undefined) return;
    await using stage = await setStage(folder);
    const file = join(project.folder, `${folder}.mjs`);
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
  const installed = join(project.folder, 'node_modules/a2c-smcp');
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const { stdout, stderr } = await node(join(installed, bin.a2c), 'demo', '--port', '0');
  expect(stderr).toBe('');
  expect(stdout).toContain('Hello from the tour');
});

function node(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, args, { cwd: project.folder, timeout: 30_000 });
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
  writeFileSync(join(project.folder, 'mcp.json'), JSON.stringify({ servers: {} }));
  // An example that listens itself finds its port free.
  if (['server', 'documents'].includes(folder)) await server.close();
  mkdirSync(join(project.folder, 'reports'), { recursive: true });
  writeFileSync(join(project.folder, 'reports/first.md'), '# The first report\n');
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
