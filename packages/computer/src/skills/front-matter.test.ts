import { describe, expect, test } from 'vitest';
import { worked } from '../../../../tests/worked.ts';
import { MAX_FRONT_MATTER_BYTES, readFrontMatter } from './front-matter.ts';

const read = (text: string) => readFrontMatter(Buffer.from(text));
const factsOf = (yaml: string) => read(`---\n${yaml}\n---\nbody`).facts;

describe('front matter', () => {
  test('its length is that of the bytes before the body, whatever the line ends and letters', () => {
    for (const head of [
      '---\ndescription: a\n---\n',
      '---\r\ndescription: ä文\r\n---\r\n',
      '\uFEFF---\ndescription: a\n---  \n',
    ]) {
      const { facts, length } = read(`${head}body`);
      expect(length).toBe(Buffer.byteLength(head));
      expect(facts?.description).toMatch(/^(a|ä文)$/);
    }
  });

  test('a file without it, or with one that does not end, is all body', () => {
    for (const text of ['# Title', '', '---\ndescription: a\n', 'x\n---\ndescription: a\n---\n', '----\na: b\n---\n']) {
      expect(read(text)).toEqual({ facts: undefined, length: 0 });
    }
    expect(read(`---\ndescription: ${'a'.repeat(MAX_FRONT_MATTER_BYTES)}\n---\n`).length).toBe(0);
  });

  test('all fields have the names of the wire, and those not given are absent', () => {
    expect(
      factsOf(
        'name: x\ndescription: >\n  two\n  lines\nlicense: MIT\ncompatibility: any\nallowed-tools: [a, b]\ntags: [t]\nmetadata: {v: 1.0, on: yes}',
      ),
    ).toEqual({
      name: 'x',
      description: 'two lines',
      license: 'MIT',
      compatibility: 'any',
      allowed_tools: ['a', 'b'],
      tags: ['t'],
      skill_metadata: { v: 1, on: 'yes' },
    });
    expect(Object.keys(factsOf('description: a') ?? {})).toEqual(['description']);
  });

  test('fields of other types are converted or left out', () => {
    expect(factsOf('description: 7\nallowed-tools: one\ntags: text\nmetadata: [1]\nlicense: {a: 1}')).toEqual({
      description: '7',
      allowed_tools: ['one'],
    });
    expect(factsOf('description: a\ntags: [1, b]')).toEqual({ description: 'a' });
  });

  test.each([
    ['no description', 'name: a'],
    ['an empty description', 'description: ""'],
    ['a list', '- a'],
    ['broken YAML', 'description: [a'],
    ['an alias', 'a: &x 1\ndescription: *x'],
    ['aliases that expand without bound', `a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\ndescription: d`],
    ['brackets without end', `description: ${'['.repeat(20_000)}`],
    ['nesting deeper than the stack', `description: d\na: ${'{b: '.repeat(5000)}1${'}'.repeat(5000)}`],
  ])('%s describes nothing or is harmless', (_, yaml) => {
    const started = worked();
    const facts = factsOf(yaml);
    expect(worked() - started).toBeLessThan(2000);
    if (!yaml.includes('description: d\n')) expect(facts).toBeUndefined();
  });

  test('texts, lists and metadata are bounded', () => {
    const facts = factsOf(
      `description: ${'a'.repeat(5000)}\nlicense: ${'b'.repeat(5000)}\ntags: [${'t,'.repeat(500)}]\nmetadata: {a: ${'c'.repeat(9000)}}`,
    );
    expect(facts?.description.length).toBeLessThan(2100);
    expect(facts?.license?.length).toBeLessThan(600);
    expect(facts?.tags).toHaveLength(100);
    expect(facts).not.toHaveProperty('skill_metadata');
    expect(factsOf(`description: a\nmetadata: {a: ${'['.repeat(12)}${']'.repeat(12)}}`)).toEqual({ description: 'a' });
  });

  test('keys of metadata cannot change prototypes', () => {
    const { skill_metadata } = factsOf('description: a\nmetadata: {__proto__: {polluted: yes}, b: 1}') ?? {};
    expect(Object.getPrototypeOf(skill_metadata)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
