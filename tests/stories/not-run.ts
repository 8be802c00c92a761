/** Commands of the documents that no story runs. */
export interface NotRun {
  /** All of its words, or the first ones. */
  readonly command: RegExp;
  readonly reason: string;
  /** The file that runs it, or checks what can be checked without running it. `pages.test.ts` looks there. */
  readonly elsewhere: string;
}

/** Commands that install a release of ours. */
export const INSTALLS = /^npm install .*(a2c-smcp)/;

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
    command: /^npm run bench\b/,
    reason: 'measures for minutes on a quiet machine',
    elsewhere: 'bench/src/rows/index.ts',
  },
  { command: /^npm run build:(wasm|corpus) /, reason: 'needs Rust', elsewhere: 'packages/vrl/package.json' },
  { command: /^(A2C_KEY=\S+ .*)?docker /, reason: 'needs a container engine', elsewhere: 'deploy/Dockerfile' },
];
