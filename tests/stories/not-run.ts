/** Commands of the documents that no story runs: why, and what tries them instead. */
export interface NotRun {
  /** All of its words, or the first ones. */
  readonly command: RegExp;
  readonly reason: string;
  /** The test that runs it elsewhere, or the script whose part it is. */
  readonly elsewhere?: string;
}

export const notRun: readonly NotRun[] = [
  { command: /^npm install && npm start$/, reason: 'installs a clone', elsewhere: 'tests/cli/demo.test.ts' },
  { command: /^npm install && npm test$/, reason: 'is how all tests are run', elsewhere: '.ci/run' },
  { command: /^npm install .*(a2c-smcp)/, reason: 'takes a release from npm', elsewhere: 'scripts/release-dry.mjs' },
  { command: /^npm run (check|docs)$/, reason: 'is run before all tests', elsewhere: '.ci/run' },
  { command: /^npm run build$/, reason: 'is run before all tests', elsewhere: 'tests/build.ts' },
  { command: /^npm run bench\b/, reason: 'measures for minutes on a quiet machine', elsewhere: 'tests/bench.test.ts' },
  {
    command: /^npm run (mcpb|single-file)$/,
    reason: 'packs an installation of 80 MB',
    elsewhere: 'tests/bridge/mcpb.test.ts',
  },
  { command: /^npm run build:(wasm|corpus) /, reason: 'needs Rust' },
  {
    command: /^(A2C_KEY=\S+ .*)?docker |^kubectl /,
    reason: 'needs a container engine',
    elsewhere: 'tests/manifests.test.ts',
  },
  { command: /^sudo /, reason: 'writes to /etc', elsewhere: 'tests/cli/services.test.ts' },
  { command: /^a2c computer sign-(in|out) /, reason: 'needs a browser', elsewhere: 'tests/cli/sign-in.test.ts' },
  { command: /^a2c agent read URI --save /, reason: 'needs a picture', elsewhere: 'tests/cli/agent.test.ts' },
  { command: /^a2c demo$/, reason: 'takes seconds', elsewhere: 'tests/cli/demo.test.ts' },
  { command: / --workers 4$/, reason: 'starts five processes', elsewhere: 'tests/cluster/workers.test.ts' },
  {
    command: / --redis (sentinel:|\S+,redis:)/,
    reason: 'needs several Redis',
    elsewhere: 'tests/cluster/redis-kinds.test.ts',
  },
  { command: /^npx a2c-conformance /, reason: 'plays for a minute each', elsewhere: 'tests/conformance/kit.test.ts' },
];
