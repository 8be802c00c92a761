import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markdownFiles } from './markdown.ts';
import { root } from './packages.ts';

const folder = join(root, 'node_modules/.cache/snippets');

/** The names that the snippets of a document may use without declaring them. */
const given = `
import type { Agent } from '@a2c-smcp/agent';
import type { Socket } from 'socket.io-client';
declare global { var agent: Agent; var socket: Socket; var otherSocket: Socket; }
`;

/** The packages are seen as a user sees them: by their declarations. */
const tsconfig = {
  extends: join(root, 'tests/tsconfig.json'),
  compilerOptions: {
    noUnusedLocals: false,
    noUnusedParameters: false,
    customConditions: [],
    // Nothing in a snippet needs more than its types stripped.
    erasableSyntaxOnly: true,
  },
  include: ['.'],
};

/** Every page with TypeScript. The Chinese ones have the same code, see `docs-translation.test.ts`. */
const documents = ['README.md', ...markdownFiles('docs'), ...markdownFiles('packages')].filter(
  path => !path.startsWith('docs/zh/') && snippetsOf(path).length > 0,
);

/** The diagnostics of the compiler for all documents at once. */
let complaints: string[];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'given.ts'), given);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const document of documents) {
    for (const [index, snippet] of snippetsOf(document).entries()) {
      writeFileSync(join(folder, `${nameOf(document)}-${index}.ts`), `${snippet}\nexport {};\n`);
    }
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  complaints = stdout.split('\n').filter(line => line !== '');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test.each(documents)('the TypeScript examples in %s compile', document => {
  // Plain JavaScript of Node 20 when its types are stripped.
  for (const snippet of snippetsOf(document)) expect(snippet).not.toMatch(/^\s*(await )?using /m);
  expect(complaints.filter(line => line.includes(`/${nameOf(document)}-`))).toEqual([]);
});

test('and the compiler has nothing else to say', () => {
  expect(documents.length).toBeGreaterThan(15);
  expect(complaints).toEqual([]);
});

test('the example of the contract in README.md runs', () => {
  const snippet = snippetsOf('README.md').find(text => text?.includes('ToolCallReq.parse'));
  const source = transformSync(snippet ?? '', { loader: 'ts', format: 'esm' }).code;
  writeFileSync(join(folder, 'contract.mjs'), source);
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'contract.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

function snippetsOf(document: string): (string | undefined)[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(match => match[1]);
}

function nameOf(document: string): string {
  return document.replaceAll(/\W/g, '-');
}
