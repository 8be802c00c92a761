import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ErrorCode, parseComputerConfig, toJSONSchemas } from '@a2c-smcp/protocol';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { root, sourceFiles } from './packages.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/errors.md has one heading per code', () => {
  const headings = [...read('docs/errors.md').matchAll(/^## (\d+) (\w+)$/gm)].map(([, code, name]) => [
    name,
    Number(code),
  ]);
  expect(headings).toEqual(Object.entries(ErrorCode));
});

test('docs/doctor.md names every finding', () => {
  const sources = sourceFiles('packages/cli/src/commands/doctor').map(({ text }) => text);
  const codes = sources.flatMap(text =>
    [...text.matchAll(/\b(?:ok|warning|problem)\(\s*'([a-z-]+)'/g)].map(match => match[1]),
  );
  const named = [...read('docs/doctor.md').matchAll(/^## (.*)$/gm)].flatMap(([, line = '']) => line.split(', '));
  expect(named.toSorted()).toEqual([...new Set(codes)].toSorted());
});

test('docs/configuration.md and docs/inputs.md name every field of a configuration file', () => {
  const documented = read('docs/configuration.md') + read('docs/inputs.md');
  const fields = fieldsOf([toJSONSchemas().ComputerConfigFile, toJSONSchemas().ToolMeta]);
  expect(fields.size).toBeGreaterThan(25);
  expect([...fields].filter(field => !documented.includes(`\`${field}\``))).toEqual([]);
});

describe('configurations in the documents', () => {
  const examples = ['docs/configuration.md', 'docs/inputs.md', 'docs/migration-python.md'].flatMap(path =>
    [...read(path).matchAll(/```jsonc\n(.*?)```/gs)].map(([, text = '']) => ({ path, text })),
  );

  test.each(examples.filter(({ text }) => text.includes('"servers"')))('are valid, $path', ({ text }) => {
    expect(() => parseComputerConfig(parse(text))).not.toThrow();
  });
});

test('SECURITY.md names tests that exist', () => {
  const named = [...read('SECURITY.md').matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(name => !existsSync(join(root, name.includes('/') ? name : `tests/hostile/${name}`)));
  expect(missing).toEqual([]);
});

test('links between documents lead somewhere', () => {
  const folders = ['.', 'docs', ...readdirSync(join(root, 'packages')).map(name => `packages/${name}`)];
  const documents = folders.flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => join(folder, name)),
  );
  const broken = documents.flatMap(document =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => join(root, dirname(document), target))
      .filter(target => !exists(target)),
  );
  expect(broken).toEqual([]);
});

function exists(path: string): boolean {
  return readdirSync(dirname(path)).includes(path.split('/').at(-1) ?? '') || path.endsWith('/');
}

function fieldsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value)) found.add(name);
    fieldsOf(value, found);
  }
  return found;
}
