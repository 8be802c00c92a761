import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { completeFile } from './complete-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'a2c-complete-'));
mkdirSync(join(folder, 'calls'));
for (const name of ['call.json', 'calls/one.json', 'other.json', '.hidden', 'my call.json'])
  writeFileSync(join(folder, name), '');
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['@', ['@call.json', '@calls/', '@other.json']],
  ['@ca', ['@call.json', '@calls/']],
  ['text=@o', ['text=@other.json']],
  ['@calls/', ['@calls/one.json']],
  ['@.h', ['@.hidden']],
  ['@nowhere/', []],
  ['ca', []],
  ['text=mail@o', []],
])('the path in the word %s is completed', (word, completed) => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(completeFile(word)).toEqual(completed);
  } finally {
    process.chdir(before);
  }
});

test('an absolute path is completed', () => {
  expect(completeFile(`@${folder}/ot`)).toEqual([`@${folder}/other.json`]);
});
