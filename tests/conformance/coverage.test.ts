import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Requirement, requirements } from '@a2c-smcp/conformance/rules';
import { describe, expect, test } from 'vitest';
import { anchorsOf, markdownFiles } from '../markdown.ts';
import { root, sourceFiles } from '../packages.ts';
import { citations } from './citations.ts';
import { applyMutant, readMutants } from './mutants.ts';

const rules: [string, Requirement][] = Object.entries(requirements);
const tests = sourceFiles('tests').filter(({ path }) => path.endsWith('.test.ts'));
const cited = new Set(tests.flatMap(({ text }) => citations(text)));

describe('the register', () => {
  test('has a tested rule for everything that is marked done', () => {
    const untested = rules.filter(([id, { done }]) => done && !cited.has(id));
    expect(untested.map(([id]) => id)).toEqual([]);
  });

  test('marks everything done that is tested', () => {
    const unmarked = rules.filter(([id, { done }]) => !done && cited.has(id));
    expect(unmarked.map(([id]) => id)).toEqual([]);
  });

  test('has a mutant for every rule, and each still applies to the sources', () => {
    const mutants = readMutants(join(root, 'tests/conformance/mutants'));
    const broken = new Set(mutants.map(({ rule }) => rule));
    expect(rules.filter(([id, { done }]) => done && !broken.has(id)).map(([id]) => id)).toEqual([]);
    const ids = new Set(rules.map(([id]) => id));
    expect(mutants.filter(({ rule }) => !ids.has(rule)).map(({ path }) => path)).toEqual([]);
    expect(mutants.filter(({ breaks }) => !/^[A-Z].*\.$/.test(breaks)).map(({ path }) => path)).toEqual([]);
    const misplaced = mutants.filter(({ path, file }) => !file.startsWith(`packages/${dirname(path)}/`));
    expect(misplaced.map(({ path }) => path)).toEqual([]);
    const texts = new Map(mutants.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
    const outdated = mutants.filter(mutant => !applyMutant(mutant, texts.get(mutant.file) ?? ''));
    expect(outdated.map(({ path, file }) => `${path} does not apply to ${file}`)).toEqual([]);
  });

  test('says each thing once, in one sentence', () => {
    const sentences = rules.map(([, { rule }]) => rule);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const [id, { rule, obeys }] of rules) {
      expect(id).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      expect(rule).toMatch(/\.$/);
      expect(obeys.length).toBeGreaterThan(0);
    }
  });

  test('points to headings of docs/protocol that exist', () => {
    const pages = markdownFiles('docs/protocol').map(path => [basename(path), anchorsOf(path)] as const);
    const anchors = new Map(pages);
    const broken = rules.filter(([, { source }]) => {
      const [page = '', anchor = ''] = source.split('#');
      return !anchors.get(page)?.has(anchor);
    });
    expect(broken.map(([id, { source }]) => `${id}: ${source}`)).toEqual([]);
  });

  test('lists what is still open', ({ annotate }) => {
    const open = rules.filter(([, { done }]) => !done).map(([id]) => id);
    annotate(`${rules.length - open.length} of ${rules.length} rules are tested; open: ${open.join(', ')}`);
    expect(rules.length).toBeGreaterThan(150);
  });
});
