import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packages, type SourceFile, sourceFiles } from './packages.ts';

/** The whole architecture: who may import whom. An arrow that is not here does not exist. */
const mayImport: Record<string, string[]> = {
  protocol: [],
  core: ['protocol'],
  publish: ['core', 'protocol'],
  documents: ['core', 'protocol', 'publish'],
  peer: ['core', 'protocol'],
  agent: ['core', 'peer', 'protocol'],
  server: ['core', 'protocol'],
  computer: ['core', 'documents', 'peer', 'protocol', 'vrl'],
  vrl: [],
  testing: ['agent', 'computer', 'core', 'protocol', 'server'],
  conformance: ['core', 'protocol', 'testing'],
  bridge: ['agent', 'core', 'protocol'],
  console: ['computer', 'core', 'protocol'],
  cli: ['agent', 'bridge', 'computer', 'console', 'core', 'documents', 'protocol', 'server', 'vrl'],
};

/** Packages that promise to run in a browser. */
const runsInBrowsers = ['protocol', 'core', 'peer', 'agent', 'vrl'];

/** The order inside packages with folders: files and folders import only what stands below them. */
const layers: Record<string, string[]> = {
  protocol: [
    ...['index.ts', 'config-file.ts', 'json-schema.ts', 'strict.ts', 'closest.ts', 'event-names.ts', 'events.ts'],
    ...[
      'error-codec.ts',
      'tool-results.ts',
      'server-config.ts',
      'pick-options.ts',
      'plain-input.ts',
      'version.ts',
      'uri',
      'errors.ts',
      'issues.ts',
    ],
    ...['schemas', 'times.ts'],
  ],
  agent: [
    ...['index.ts', 'models', 'desktop-prompt.ts', 'skill-prompt.ts', 'agent.ts', 'office-view.ts'],
    ...[
      'tool-meta.ts',
      'search.ts',
      'options.ts',
      'documents.ts',
      'events.ts',
      'skills.ts',
      'upload.ts',
      'requests.ts',
      'questions.ts',
    ],
    ...['call-gate.ts', 'drain.ts', 'blobs.ts', 'upload-source.ts', 'bytes.ts'],
  ],
  server: [
    ...[
      'index.ts',
      'workers.ts',
      'workers',
      'server.ts',
      'operator',
      'hub.ts',
      'metrics.ts',
      'relay',
      'office',
      'broker',
    ],
    ...['cluster', 'options.ts', 'inlet.ts', 'auth', 'http', 'wire', 'limits.ts'],
  ],
  computer: [
    ...[
      'index.ts',
      'files.ts',
      'computer.ts',
      'computer-types.ts',
      'local-servers.ts',
      'attention.ts',
      'office',
      'desktop',
      'finder',
      'runtime.ts',
      'adopted',
      'options.ts',
      'skills',
      'audit',
      'tools',
      'blobs',
      'prompts',
      'consent',
    ],
    ...[
      'resources',
      'mcp',
      'oauth',
      'questions',
      'inputs',
      'config',
      'secrets',
      'claims.ts',
      'warnings.ts',
      'describe-error.ts',
      'dialect.ts',
    ],
  ],
  publish: [
    ...[
      'index.ts',
      'content.ts',
      'windows.ts',
      'documents.ts',
      'complete.ts',
      'read-contents.ts',
      'levels.ts',
      'finder-error.ts',
    ],
    ...[
      'describe.ts',
      'source.ts',
      'published-resources.ts',
      'guard-request.ts',
      'answer-size.ts',
      'changes.ts',
      'content',
    ],
  ],
  documents: [
    ...[
      'index.ts',
      'main.ts',
      'http.ts',
      'server.ts',
      'search-tool.ts',
      'library.ts',
      'byte-documents.ts',
      'read-markdown.ts',
      'open-file.ts',
      'default-host.ts',
      'describe.ts',
      'search',
      'store.ts',
    ],
    ...['catalog', 'sessions', 'ocr', 'byte-cache.ts', 'formats', 'content', 'file.ts'],
  ],
  bridge: [
    ...[
      'index.ts',
      'bridge.ts',
      'serve',
      'office.ts',
      'answered-call.ts',
      'prompts',
      'tools',
      'resources',
      'office-access.ts',
    ],
    ...['seat', 'options.ts', 'office-agent.ts', 'message-size.ts', 'sockets.ts', 'socket'],
  ],
  console: ['owner.ts', 'operator.ts', 'index.ts', 'owner', 'http'],
  conformance: [
    ...['main.ts', 'cli.ts', 'args.ts', 'index.ts', 'report.ts', 'targets', 'checks', 'stages', 'play.ts', 'check.ts'],
    ...['line.ts', 'within.ts', 'rules.ts', 'rules'],
  ],
  cli: [
    ...['main.ts', 'crash.ts', 'cli.ts', 'parse.ts', 'help.ts', 'commands', 'options.ts', 'failure.ts', 'command.ts'],
    ...['redaction.ts', 'log.ts', 'keyboard', 'output'],
  ],
};

const all = packages();

test('every package has its arrows', () => {
  expect(all.map(({ folder }) => folder).toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

describe.each(all)('$folder', ({ folder, manifest, sources }) => {
  const external = sources.flatMap(({ imports }) => imports.filter(specifier => !specifier.startsWith('.')));

  test('imports only the packages below it', () => {
    const allowed = (mayImport[folder] ?? []).map(name => `@a2c-smcp/${name}`);
    const ours = external.filter(specifier => specifier.startsWith('@a2c-smcp/'));
    expect(ours.filter(specifier => !allowed.includes(packageName(specifier)))).toEqual([]);
  });

  test('declares what it imports', () => {
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    const declared = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    const used = external.filter(specifier => !specifier.startsWith('node:')).map(packageName);
    expect(used.filter(name => !declared.includes(name))).toEqual([]);
  });

  test('imports something of Node only if it need not run in a browser', () => {
    const needed = external.filter(specifier => specifier.startsWith('node:'));
    expect(runsInBrowsers.includes(folder) ? needed : []).toEqual([]);
  });

  test('has no cycle', () => {
    expect(findCycle(sources)).toEqual([]);
  });
});

test.each(Object.entries(layers))('inside %s files import only what stands below them', (folder, order) => {
  const { sources } = all.find(candidate => candidate.folder === folder) ?? { sources: [] };
  const place = (path: string) => order.indexOf(relative(join('packages', folder, 'src'), path).split('/')[0] ?? '');
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter(specifier => specifier.startsWith('.'))
      .map(specifier => join(dirname(path), specifier))
      .filter(target => place(path) === -1 || place(target) === -1 || place(target) < place(path))
      .map(target => `${path} imports ${target}`),
  );
  expect(sources.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

test('a Server without Redis and operators does not load what only they need', () => {
  const server = all.find(({ folder }) => folder === 'server');
  const files = new Map(server?.sources.map(file => [file.path, file]));
  const loaded = new Set<string>();
  const visit = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const text = files.get(path)?.text ?? '';
    // Neither types nor what is imported when it is needed.
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)';/gm)) {
      if (specifier.startsWith('.')) visit(join(dirname(path), specifier));
      else loaded.add(specifier);
    }
  };
  visit('packages/server/src/index.ts');
  expect(loaded).toContain('socket.io');
  expect(loaded).not.toContain('ioredis');
  expect([...loaded].filter(path => path.includes('/operator/'))).toEqual([]);
});

/** Libraries whose private parts a package uses: another version may lack them. */
const pinned: Record<string, string[]> = {
  peer: ['engine.io-client', 'socket.io-client', 'socket.io-parser'],
  server: ['engine.io', 'ioredis', 'socket.io', 'socket.io-parser', 'ws'],
  computer: ['@modelcontextprotocol/client'],
  bridge: ['@modelcontextprotocol/server'],
};

test.each(Object.entries(pinned))('%s pins the libraries whose private parts it uses', (folder, libraries) => {
  const { dependencies = {} } = all.find(candidate => candidate.folder === folder)?.manifest ?? {};
  for (const library of libraries) expect(dependencies[library], library).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the contract needs zod and nothing else', () => {
  const protocol = all.find(({ folder }) => folder === 'protocol');
  expect(Object.keys(protocol?.manifest.dependencies ?? {})).toEqual(['zod']);
});

test('a comment begins with the thing or a verb, not with a question word', () => {
  const question = /^\s*(?:\/\/|\/?\*\*?) (?:What|Whether|Who|Whoever|Nobody|Somebody)\b.*$/gm;
  const found = all.flatMap(({ sources }) =>
    sources.flatMap(({ path, text }) => Array.from(text.matchAll(question), ([line]) => `${path}: ${line.trim()}`)),
  );
  expect(found).toEqual([]);
});

test('no file is longer than 400 lines, but for the texts of a language', () => {
  const files = [...sourceFiles('packages'), ...sourceFiles('tests')].filter(({ path }) => !path.includes('/strings/'));
  expect(files.length).toBeGreaterThan(20);
  const long = files.filter(({ text }) => text.split('\n').length > 401);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('tests wait with eventually(), not for the one second of vi.waitFor, which a busy machine exceeds', () => {
  const hasty = [...sourceFiles('packages'), ...sourceFiles('tests')].filter(({ text }) =>
    /\bvi\.waitFor\(/.test(text),
  );
  expect(hasty.map(({ path }) => path)).toEqual([]);
});

test('no file imports by name what Node lacks on Windows, where loading it would fail', () => {
  const missing = /import \{[^}]*\b(?:[gs]ete?[ug]id|getgroups|setgroups|initgroups)\b[^}]*\} from 'node:process'/;
  const wrong = all.flatMap(({ sources }) => sources.filter(({ text }) => missing.test(text)));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('packages for browsers import zod so that bundlers can leave out most of it', () => {
  const sources = all.filter(({ folder }) => runsInBrowsers.includes(folder)).flatMap(({ sources }) => sources);
  const greedy = sources.filter(
    ({ imports, text }) => imports.includes('zod') || /import \{[^}]*\bz\b[^}]*\} from 'zod/.test(text),
  );
  expect(greedy.map(({ path }) => path)).toEqual([]);
});

function packageName(specifier: string): string {
  const [scope = '', name] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** The files of the first import cycle, or none. */
function findCycle(sources: SourceFile[]): string[] {
  const files = new Map(sources.map(file => [file.path, file]));
  const finished = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    const file = files.get(path);
    if (!file || finished.has(path)) return [];
    for (const specifier of file.imports.filter(imported => imported.startsWith('.'))) {
      const cycle = visit(join(dirname(path), specifier), [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(path);
    return [];
  };
  return sources.map(({ path }) => visit(path, [])).find(cycle => cycle.length > 0) ?? [];
}
