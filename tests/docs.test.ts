import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ErrorCode, parseComputerConfig, toJSONSchemas } from '@a2c-smcp/protocol';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { inspectCodes } from '../packages/cli/src/commands/inspect/rules.ts';
import { ServerSettings } from '../packages/cli/src/commands/server/settings.ts';
import { errorCodes, explanationOf } from '../packages/cli/src/output/error-codes.ts';
import { anchorsOf, markdownFiles, proseOf } from './markdown.ts';
import { address, root, sourceFiles } from './packages.ts';

/** All Markdown files but those that are examples of documents. */
const documents = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...['docs', 'packages', 'bench', 'clients', 'examples', 'fuzz', 'interop'].flatMap(markdownFiles),
].filter(path => !/documents\/files\/|cli\/templates\//.test(path));

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/reference/errors.md has one heading per code', () => {
  const headings = [...read('docs/reference/errors.md').matchAll(/^## (\d+) (\w+)$/gm)].map(([, code, name]) => [
    name,
    Number(code),
  ]);
  expect(headings).toEqual(Object.entries(ErrorCode));
});

test('docs/reference/errors.md has the texts of a2c explain', () => {
  const sections = [...read('docs/reference/errors.md').matchAll(/^## (\d+) \w+\n\n(.*?)(?=\n## |$(?![\s\S]))/gms)];
  const texts = sections.map(([, code, text = '']) => {
    const plain = text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
    return [Number(code), plain.trim().replace(/\s+/g, ' ')];
  });
  expect(texts).toEqual(errorCodes.map(({ code }) => [code, explanationOf(code)]));
});

test('docs/reference/doctor.md names every finding', () => {
  const sources = sourceFiles('packages/cli/src/commands/doctor').map(({ text }) => text);
  const codes = sources.flatMap(text =>
    [...text.matchAll(/\b(?:ok|warning|problem)\(\s*'([a-z-]+)'/g)].map(match => match[1]),
  );
  const named = [...read('docs/reference/doctor.md').matchAll(/^## (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(', '),
  );
  expect(named.toSorted()).toEqual([...new Set(codes)].toSorted());
});

test('docs/guide/migration-python.md maps the classes that the architecture of the protocol names', () => {
  const page = read('docs/guide/migration-python.md');
  const roles = ['AuthenticationProvider', 'BaseNamespace', 'SMCPNamespace', 'SMCPComputerClient', 'MCPServerManager'];
  const classes = [...roles, 'AgentAuthProvider', 'AsyncSMCPAgentClient', 'SMCPAgentClient', 'FinderAggregator'];
  expect(classes.filter(name => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/reference/inspect.md names every finding, and those of the Computer have rules', () => {
  const named = [...read('docs/reference/inspect.md').matchAll(/^## (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(', '),
  );
  expect(named.toSorted()).toEqual(inspectCodes.toSorted());
  const sources = sourceFiles('packages/computer/src').map(({ text }) => text);
  const codes = sources.flatMap(text =>
    [...text.matchAll(/(?:code: |note\()'([a-z]+-[a-z-]+)'/g)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter(code => !named.includes(code ?? ''))).toEqual([]);
});

test('docs/reference/configuration.md and docs/guide/inputs.md name every field of a configuration file', () => {
  const documented = read('docs/reference/configuration.md') + read('docs/guide/inputs.md');
  const fields = fieldsOf([toJSONSchemas().ComputerConfigFile, toJSONSchemas().ToolMeta]);
  expect(fields.size).toBeGreaterThan(25);
  expect([...fields].filter(field => !documented.includes(`\`${field}\``))).toEqual([]);
});

describe.each([
  {
    page: 'server',
    sources: ['server/src/options.ts', 'server/src/limits.ts'],
    types: ['ServerOptions', 'ListenOptions', 'Limits'],
  },
  {
    page: 'computer',
    sources: ['computer/src/options.ts', 'computer/src/computer-types.ts'],
    types: ['ComputerOptions', 'ComputerEvents'],
  },
  { page: 'agent', sources: ['agent/src/options.ts', 'agent/src/events.ts'], types: ['AgentOptions', 'AgentEvents'] },
])('docs/reference/$page.md', ({ page, sources, types }) => {
  const code = sources.map(path => read(`packages/${path}`)).join('\n');
  const documented = read(`docs/reference/${page}.md`);

  test.each(types)('names every field of %s', type => {
    const [body = ''] = new RegExp(`^export interface ${type} .*?^}`, 'ms').exec(code) ?? [];
    const fields = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field]) => field);
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.filter(field => !documented.includes(`| \`${field}\``))).toEqual([]);
  });
});

describe('configurations in the documents', () => {
  const pages = [...markdownFiles('docs'), ...markdownFiles('packages')];
  const examples = pages.flatMap(path =>
    [...read(path).matchAll(/^```jsonc?\n(.*?)^```/gms)].map(([, text = '']) => ({ path, text })),
  );
  const ofComputers = examples.filter(({ text }) => text.includes('"servers": {'));
  const ofServers = examples.filter(({ text }) => /^\/\/ server\.json/.test(text));

  test.each(ofComputers)('are valid, $path', ({ text }) => {
    expect(() => parseComputerConfig(parse(text))).not.toThrow();
  });

  test.each(ofServers)('of Servers are valid, $path', ({ text }) => {
    expect(() => ServerSettings.parse(parse(text))).not.toThrow();
  });

  test('are found', () => {
    expect([ofComputers.length > 8, ofServers.length > 0]).toEqual([true, true]);
  });
});

test('scripts and tests that the documents name exist', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const texts = documents.filter(path => path !== 'CHANGELOG.md').map(path => ({ path, text: read(path) }));
  const unknown = texts.flatMap(({ path, text }) => {
    const { scripts: own = {} } = path.startsWith('packages/')
      ? JSON.parse(read(join(dirname(path), 'package.json')))
      : {};
    const runs = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    const files = [...text.matchAll(/(?<![\w/])tests\/[\w/-]+\.test\.ts/g)].map(([file]) => file);
    return [
      ...runs.filter(name => scripts[name] === undefined && own[name] === undefined),
      ...files.filter(file => !existsSync(join(root, file))),
    ].map(name => `${path}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

test('SECURITY.md names tests that exist', () => {
  const named = [...read('SECURITY.md').matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(name => !existsSync(join(root, name.includes('/') ? name : `tests/hostile/${name}`)));
  expect(missing).toEqual([]);
});

test('no message of a package names a page, which is not installed with it', () => {
  const lines = sourceFiles('packages/cli/src').flatMap(({ path, text }) =>
    text.split('\n').map(line => ({ path, line: line.trim() })),
  );
  const messages = lines.filter(({ line }) => !/^(\/|\*)/.test(line) && /docs\/[\w/-]+\.md/.test(line));
  expect(messages).toEqual([]);
});

describe('links between documents', () => {
  const links = documents.flatMap(document =>
    [
      ...proseOf(document)
        .replaceAll(/`[^`\n]*`/g, '')
        // READMEs of packages are read outside the repository, so their links are whole addresses.
        .replaceAll(new RegExp(`\\]\\(${address}/(?:blob|tree)/main/`, 'g'), `](${relative(dirname(document), '')}/`)
        .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g),
    ].map(([, path = '', anchor]) => ({
      document,
      target: path === '' ? document : join(dirname(document), path),
      anchor,
    })),
  );

  test('lead to files that exist', () => {
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  });

  test('lead to headings that exist', () => {
    const toHeadings = links.filter(({ anchor, target }) => anchor !== undefined && target.endsWith('.md'));
    expect(toHeadings.filter(({ target, anchor = '' }) => !anchorsOf(target).has(anchor))).toEqual([]);
  });
});

test.each(['docs', 'docs/zh'])('%s/README.md links every page, or the index of its folder', folder => {
  const index = read(`${folder}/README.md`);
  const pages = markdownFiles(folder).map(page => page.replace(`${folder}/`, ''));
  const isGrouped = (page: string) => /^(protocol\/(?!README)|zh\/)/.test(page);
  const unlinked = pages.filter(page => page !== 'README.md' && !isGrouped(page) && !index.includes(`](${page})`));
  expect(unlinked).toEqual([]);
});

function fieldsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value)) found.add(name);
    fieldsOf(value, found);
  }
  return found;
}
