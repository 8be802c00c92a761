import { expect, test } from 'vitest';
import { isTextType, mimeTypeOf } from './mime-types.ts';
import { isSkillName, mcpSkillName } from './names.ts';
import { insidePath, isCredentialsPath } from './paths.ts';

test('well-formed names of skills have one, two or three parts', () => {
  for (const name of ['a', 'csv-profile', 'a1-b2', '7', 'plugin:skill', 'mcp:My_Server-2:skill', 'a'.repeat(64)]) {
    expect(isSkillName(name), name).toBe(true);
  }
  const odd = ['', 'A', 'a_b', '-a', 'a-', 'a--b', 'a b', 'a.b', 'ä', 'a'.repeat(65), 'a/b', '..', 'a:b:c', 'a:', ':a'];
  for (const name of [...odd, 'mcp::a', 'mcp:a__b:c', 'mcp:a.b:c', 'mcp:a:B', 'mcp:a:b:c', 'x\n', 'mcp:a:..']) {
    expect(isSkillName(name), name).toBe(false);
  }
});

test('a name for a skill of an MCP server needs a valid bundle id and a valid last part', () => {
  expect(mcpSkillName('app', 'one')).toBe('mcp:app:one');
  expect(mcpSkillName('a__p', 'one')).toBeUndefined();
  expect(mcpSkillName('app', 'One')).toBeUndefined();
});

test('the type of a file follows from its extension alone', () => {
  const expected = {
    'SKILL.md': 'text/markdown',
    'a/B.MARKDOWN': 'text/markdown',
    'a.json': 'application/json',
    'a.yml': 'application/yaml',
    'a.rst': 'text/x-rst',
    'run.py': 'text/plain',
    'run.sh': 'text/plain',
    'a.ts': 'text/plain',
    'a.js': 'text/javascript',
    'a.csv': 'text/csv',
    'a.svg': 'image/svg+xml',
    'a.tar.gz': 'application/gzip',
    'a.constructor': 'application/octet-stream',
    'a.d/noextension': 'application/octet-stream',
    '.md': 'application/octet-stream',
    a: 'application/octet-stream',
  };
  expect(Object.fromEntries(Object.keys(expected).map(path => [path, mimeTypeOf(path)]))).toEqual(expected);
  for (const type of ['text/plain', 'image/svg+xml', 'a/b+json', 'application/toml'])
    expect(isTextType(type)).toBe(true);
  for (const type of ['image/png', 'application/octet-stream', 'x/text/plain']) expect(isTextType(type)).toBe(false);
});

test('paths that may lead out of their folder are refused before the file system is asked', () => {
  const problem = (path: string) => {
    try {
      return insidePath(path);
    } catch (error) {
      return (error as { details: { reason: string } }).details.reason;
    }
  };
  for (const path of ['..', 'a/../b', '/etc/passwd', 'a\\b', 'C:x', 'a\0b', 'a\nb', './..', '\\\\host\\share']) {
    expect(problem(path), path).toBe('traversal');
  }
  for (const path of ['.skillenv', 'a/.SKILLENV', '.SkillEnv', 'a/.skillenv/b', '.skillenv. ', '.ｓkillenv']) {
    expect(problem(path), path).toBe('forbidden');
  }
  expect(problem('a'.repeat(2000))).toBe('not_found');
  expect(problem('./')).toBe('not_found');
  expect(problem('./a//b/./c.md')).toBe('a/b/c.md');
  expect(isCredentialsPath('skillenv')).toBe(false);
});
