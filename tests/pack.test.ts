import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** Kilobytes of a tarball, some of which is room to grow: a package that needs more says why in its commit. */
const maxSize: Record<string, number> = {
  agent: 130,
  bridge: 140,
  cli: 480,
  computer: 620,
  conformance: 250,
  console: 250,
  core: 60,
  documents: 650,
  peer: 60,
  protocol: 110,
  publish: 80,
  server: 310,
  testing: 30,
  vrl: 2300,
};

describe.each(shipped)('$manifest.name, installed from its tarball', ({ folder, manifest }) => {
  test('brings its licence', () => {
    const licence = readIfAny(join(project.folder, 'node_modules', manifest.name, 'LICENSE'));
    expect(licence).toContain(readFileSync(join(root, 'LICENSE'), 'utf8').trim());
    expect(licence.includes('Mozilla Public')).toBe(manifest.name === '@a2c-smcp/vrl');
  });

  test('stays below its size', () => {
    if (project.sizes) expect(project.sizes.get(manifest.name)).toBeLessThan((maxSize[folder] ?? 0) * 1000);
  });

  test('has source maps that lead to its sources, and no tests', () => {
    const installed = join(project.folder, 'node_modules', manifest.name);
    const inSource = readdirSync(join(installed, 'src'), { recursive: true, encoding: 'utf8' });
    expect(inSource.filter(file => file.endsWith('.test.ts'))).toEqual([]);
    // Starts at the sources: a folder that was built before may have outputs of sources that are gone.
    const missing = inSource
      .filter(file => /(?<!\.d)\.ts$/.test(file))
      .flatMap(file => [file.replace(/ts$/, 'js.map'), file.replace(/ts$/, 'd.ts.map')])
      .map(map => join(installed, 'dist', map))
      .filter(map => {
        const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'));
        return sources.length !== 1 || !sources.every(source => existsSync(join(dirname(map), source)));
      });
    expect(missing).toEqual([]);
  });

  test('has declarations that TypeScript before 5.7 reads, where Buffer has no parameter', () => {
    const dist = join(project.folder, 'node_modules', manifest.name, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.d.ts'));
    expect(files.filter(file => readFileSync(join(dist, file), 'utf8').includes('Buffer<'))).toEqual([]);
  });

  test('runs the example of its README', async () => {
    const [, snippet] = /```ts\n(.*?)```/s.exec(readIfAny(join(root, 'packages', folder, 'README.md'))) ?? [];
    if (snippet === undefined) return;
    await runSnippet(folder, snippet);
  });
});

// The same examples as those of the packages, so that they are tried only where a release is.
test.runIf(process.env.A2C_TEST_PROJECT)('every example of README.md runs', async () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const snippets = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, snippet = '']) => snippet);
  expect(snippets.length).toBeGreaterThan(3);
  for (const snippet of snippets) {
    const [, role = 'protocol'] = /^const (agent|server|computer) = await/m.exec(snippet) ?? [];
    // Servers and Computers of the examples stay until they are closed.
    await runSnippet(role, role === 'server' || role === 'computer' ? `${snippet}await ${role}.close();` : snippet);
  }
});

test('the a2c command gives its tour from an empty project', async () => {
  const installed = join(project.folder, 'node_modules/a2c-smcp');
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const { stdout, stderr } = await node(join(installed, bin.a2c), 'demo', '--port', '0');
  expect(stderr).toBe('');
  expect(stdout).toContain('Hello from the tour');
});

/** Runs an example of a package's README in the project. */
async function runSnippet(folder: string, snippet: string): Promise<void> {
  await using stage = await setStage(folder);
  const file = join(project.folder, `${folder}.mjs`);
  const source = snippet.replaceAll(/\b7[01]00\b/g, stage.port);
  const { code } = await transform(source, { loader: 'ts', target: 'node20', format: 'esm' });
  writeFileSync(file, code);
  await expect(node(file)).resolves.toBeDefined();
}

function node(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.env.A2C_TEST_NODE ?? process.execPath, args, { cwd: project.folder, timeout: 30_000 });
}

function readIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The surroundings of an example: a Server, a Computer for an Agent, a configuration for a Computer, files. */
async function setStage(folder: string): Promise<AsyncDisposable & { port: string }> {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const { port } = new URL(server.url);
  writeFileSync(join(project.folder, 'mcp.json'), JSON.stringify({ servers: {} }));
  // An example that listens itself finds its port free.
  if (['server', 'documents'].includes(folder)) await server.close();
  mkdirSync(join(project.folder, 'reports'), { recursive: true });
  writeFileSync(join(project.folder, 'reports/first.md'), '# The first report\n');
  const computer = folder === 'agent' ? await openComputer({ scripted: { tools: ['echo'] } }) : undefined;
  await computer?.join(server.url, { office: 'demo' });
  return {
    port,
    async [Symbol.asyncDispose]() {
      await computer?.close();
      await server.close();
    },
  };
}
