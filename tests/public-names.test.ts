import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packages, root } from './packages.ts';

/** One list per entry of a package, so that a review shows every name that is added, renamed or removed. */
const folder = join(root, 'tests/public-names');

const entries = packages().flatMap(({ folder: name, manifest }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const source = (target as Record<string, string>)['@a2c-smcp/source'];
    if (source === undefined) return [];
    return {
      list: `${join(name, path).replaceAll('/', '-')}.txt`,
      specifier: join(manifest.name, path),
      source: join(root, 'packages', name, source),
    };
  }),
);

// `npx vitest run tests/public-names.test.ts -u` writes the lists anew after an intended change.
describe('public names', () => {
  test.each(entries)('the exports of $specifier are those of the list', async ({ list, specifier, source }) => {
    const values = Object.keys(await import(specifier)).toSorted();
    const code = readFileSync(source, 'utf8');
    expect(code).not.toMatch(/^export \*/m);
    const types = exportedNames(code).filter(name => !values.includes(name));
    const text = ['Values:', ...values, '', 'Types:', ...types.toSorted(), ''].join('\n');
    await expect(text).toMatchFileSnapshot(join(folder, list));
  });

  test('every list belongs to an entry of a package', () => {
    expect(readdirSync(folder).toSorted()).toEqual(entries.map(({ list }) => list).toSorted());
  });
});

/** The names that a module exports, as in `export { a, type B as C }` and `export interface D`. */
function exportedNames(source: string): string[] {
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const listed = lists.map(name => name.trim().split(' ').at(-1) ?? '').filter(name => name !== '');
  const declared = source.matchAll(
    /^export (?:async )?(?:abstract )?(?:class|const|function\*?|interface|type) (\w+)/gm,
  );
  return [...listed, ...[...declared].map(([, name = '']) => name)];
}
