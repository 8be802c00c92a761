import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests read the packages' sources, so they need no build.
  ssr: { resolve: { conditions: ['@a2c-smcp/source', ...defaultServerConditions] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    reporters: ['minimal', './tests/closing-line.ts'],
  },
});
