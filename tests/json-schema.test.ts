import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toJSONSchemas } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { root } from './packages.ts';

const folder = join(root, 'docs/reference/schema');
const schemas = toJSONSchemas();

// `npm run schema` writes the files anew after a change of the schemas.
describe('the files in docs/reference/schema', () => {
  test.each(Object.entries(schemas))('%s is what the code says', async (name, schema) => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(join(folder, `${name}.json`));
  });

  test('are no more and no less', () => {
    const expected = Object.keys(schemas).map(name => `${name}.json`);
    expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
  });
});

test('references between schemas lead to files that exist', () => {
  const references = [...JSON.stringify(schemas).matchAll(/"\$ref":"([^"#]+)"/g)].map(match => match[1] ?? '');
  expect(references.length).toBeGreaterThan(10);
  expect(references.filter(reference => !(reference.replace('.json', '') in schemas))).toEqual([]);
});

test('an editor warns of unknown fields in a configuration file, and of no missing name', () => {
  const text = JSON.stringify(schemas.ComputerConfigFile);
  expect(schemas.ComputerConfigFile).toMatchObject({ additionalProperties: false, required: ['servers'] });
  expect(text).not.toMatch(/"required":\[[^\]]*"name"/);
});
