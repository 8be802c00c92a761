import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetDeskTopRet, SMCPTool, ToolMeta } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import copies from './fixtures/seed-examples.json' with { type: 'json' };

const schemas = { GetDeskTopRet, SMCPTool, ToolMeta };
const seeds = join(root, '../shared/seeds');

describe.each(Object.entries(schemas))('examples of %s in the protocol documents', (name, schema) => {
  const examples: unknown[] = copies[name as keyof typeof schemas];
  test.each(examples.map(example => [example]))('%j', example => {
    expect(schema.parse(example)).toEqual(example);
  });
});

test("the JSON string of a tool's metadata holds a ToolMeta", () => {
  const [, tool] = copies.SMCPTool;
  expect(ToolMeta.parse(JSON.parse(tool?.meta.a2c_tool_meta ?? ''))).toEqual(copies.ToolMeta[0]);
});

test.runIf(existsSync(seeds))('the copies are all the JSON there is in the documents', () => {
  const documents = readdirSync(seeds).map(file => readFileSync(join(seeds, file), 'utf8'));
  const found = documents.flatMap(jsonObjects);
  expect(found).toEqual(expect.arrayContaining(Object.values(copies).flat()));
  expect(found).toHaveLength(Object.values(copies).flat().length);
});

/** The JSON objects that begin a line: the first text from `{` to `}` at the same indentation that parses. */
function jsonObjects(text: string): unknown[] {
  const lines = text.split('\n');
  const objects: unknown[] = [];
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.trim() !== '{') continue;
    for (let end = start + 1; end < Math.min(start + 40, lines.length); end++) {
      if (lines[end]?.trim() !== '}') continue;
      try {
        objects.push(JSON.parse(lines.slice(start, end + 1).join('\n')));
        start = end;
        break;
      } catch {
        // Not the closing brace of this object, or no JSON at all: the documents also sketch structures in Python.
      }
    }
  }
  return objects;
}
