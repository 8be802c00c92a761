/** Commands of the documents that no story runs. */
export interface NotRun {
  /** All of its words, or the first ones. */
  readonly command: RegExp;
  readonly reason: string;
  /** The file that runs it. `pages.test.ts` looks there. */
  readonly elsewhere: string;
}

/** Commands that install a release of ours. */
export const INSTALLS = /^npm install .*(a2c-smcp)/;
export const BENCHMARKS = /^npm run bench\b/;
export const RUST_BUILDS = /^npm run build:(wasm|corpus) /;
export const CONTAINERS = /^(A2C_KEY=\S+ .*)?docker /;

export const notRun: readonly NotRun[] = [
  { command: /^npm install && npm test$/, reason: 'is how all tests are run', elsewhere: '.ci/run' },
  { command: /^npm run (check|docs)$/, reason: 'is run before all tests', elsewhere: '.ci/run' },
  {
    command: /^npm (install && npm start|run (build|mcpb|single-file))$/,
    reason: 'is for the repository itself',
    elsewhere: 'tests/load/documented-scripts.test.ts',
  },
  {
    command: INSTALLS,
    reason: 'takes a release from npm',
    elsewhere: 'tests/load/documented-installs.test.ts',
  },
  {
    command: BENCHMARKS,
    reason: 'takes minutes, and a quick run is enough',
    elsewhere: 'tests/load/documented-benchmarks.test.ts',
  },
  { command: RUST_BUILDS, reason: 'needs Rust', elsewhere: 'tests/load/documented-rust.test.ts' },
  { command: CONTAINERS, reason: 'needs a container engine', elsewhere: 'tests/load/containers.test.ts' },
];
