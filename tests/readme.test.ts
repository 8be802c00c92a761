import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './packages.ts';

const folder = join(root, 'node_modules/.cache/readme');

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the snippets in a document may use without showing where it comes from. */
const given = `
import type { Socket } from 'socket.io-client';
declare global { var socket: Socket; var otherSocket: Socket; }
`;

test.each(['README.md'])(
  'every TypeScript example in %s compiles',
  document => {
    const snippets = [...readFileSync(join(root, document), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
      match => match[1],
    );
    expect(snippets.length).toBeGreaterThan(0);
    for (const [index, snippet] of snippets.entries())
      writeFileSync(join(folder, `snippet-${index}.ts`), `${snippet}\nexport {};\n`);
    writeFileSync(join(folder, 'given.ts'), given);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tests/tsconfig.json'),
        compilerOptions: { noUnusedLocals: false },
        include: ['.'],
      }),
    );
    const compile = () =>
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
        encoding: 'utf8',
      });
    expect(compile).not.toThrow();
  },
  60_000,
);
