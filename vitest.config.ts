import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests read the packages' sources, so they need no build.
  ssr: { resolve: { conditions: ['@a2c-smcp/source', ...defaultServerConditions] } },
  test: {
    // A slow machine must not fail a test; what waits for nothing is ended all the same.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Many tests measure time, and a machine may be busy at the wrong moment; what is wrong fails again.
    retry: 2,
    // Most tests wait for other processes most of the time.
    maxWorkers: 3 * availableParallelism(),
    // A worker loads the packages once for all its test files, which is half of the work otherwise.
    isolate: false,
    // Tests of memory collect garbage before they measure.
    execArgv: ['--expose-gc'],
    reporters: ['minimal', './tests/closing-line.ts'],
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
  },
});
