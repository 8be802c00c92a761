import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './packages.ts';

const folder = join(root, 'node_modules/.cache/snippets');

/** What the snippets of a document may use without showing where it comes from. */
const given = `
import type { Agent } from '@a2c-smcp/agent';
import type { Socket } from 'socket.io-client';
declare global { var agent: Agent; var socket: Socket; var otherSocket: Socket; }
`;

const tsconfig = {
  extends: join(root, 'tests/tsconfig.json'),
  compilerOptions: { noUnusedLocals: false },
  include: ['.'],
};

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'given.ts'), given);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
});
afterAll(() => rmSync(folder, { recursive: true }));

const documents = [
  'README.md',
  'docs/operations.md',
  'packages/agent/README.md',
  'packages/computer/README.md',
  'packages/documents/README.md',
  'packages/server/README.md',
  'packages/vrl/README.md',
];

test.each(documents)('the TypeScript examples in %s compile', { timeout: 60_000 }, document => {
  const text = readFileSync(join(root, document), 'utf8');
  const snippets = [...text.matchAll(/```ts\n(.*?)```/gs)].map(match => match[1]);
  expect(snippets.length).toBeGreaterThan(0);
  for (const [index, snippet] of snippets.entries()) {
    writeFileSync(join(folder, `snippet-${index}.ts`), `${snippet}\nexport {};\n`);
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
