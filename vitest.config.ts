import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Package, packages, root } from './tests/packages.ts';

// Node 20 reads and parses these certificates whenever a process starts, which takes twice as long as the rest of the start.
// Tests start thousands of processes, all of which talk to this machine alone.
delete process.env.NODE_EXTRA_CA_CERTS;

/** Beside those of tests/load: they pack, bundle and start whole programs, or take a processor for seconds each. */
const heavy = [
  'packages/documents/src/formats/readers.test.ts',
  'tests/{examples,pack,version,walks}.test.ts',
  'tests/bridge/{outages,shared-seat,tools}.test.ts',
  'tests/cli/{crash,inspect,new,signals,terminal}.test.ts',
  'tests/cluster/{links,node-death,redis-away,redis-kinds,workers}.test.ts',
  'tests/computer/foreign-servers.test.ts',
  'tests/conformance/kit.test.ts',
  'tests/console/{screens,operator-screens}.test.ts',
  'tests/documents/{command,scans}.test.ts',
  'tests/hostile/{cluster,documents-limits,terminal}.test.ts',
  'tests/vrl/{corpus,limits}.test.ts',
];

export default defineConfig({
  // Tests import the packages' sources. What they start as a process, and workers, are the builds.
  resolve: { alias: packages().flatMap(sourcesOf) },
  test: {
    globalSetup: './tests/build.ts',
    // A slow machine must not fail a test; what waits for nothing is ended all the same.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Many tests measure time, and a machine may be busy at the wrong moment; what is wrong fails again.
    retry: 2,
    // Most tests wait for other processes most of the time.
    maxWorkers: 3 * availableParallelism(),
    // A worker loads the packages once for all its test files, which is half of the work otherwise.
    isolate: false,
    // Builds are loaded as Node does it, with the workers beside them.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    // Tests of memory collect garbage before they measure.
    execArgv: ['--expose-gc'],
    reporters: ['minimal', './tests/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['packages/*/{src,app}/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['tests/load/**', ...heavy, 'node_modules'],
        },
      },
      // Tests that take a processor for long: `npm run test:load`.
      { extends: true, test: { name: 'load', include: ['tests/load/*.test.ts', ...heavy] } },
    ],
  },
});

function sourcesOf({ folder, manifest }: Package): { find: RegExp; replacement: string }[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
    const source = typeof target === 'object' ? target['@a2c-smcp/source'] : undefined;
    const replacement = source && join(root, 'packages', folder, source);
    return replacement ? [{ find: new RegExp(`^${manifest.name}${entry.slice(1)}$`), replacement }] : [];
  });
}
