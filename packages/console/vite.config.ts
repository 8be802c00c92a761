import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The pages of the console. `http/site.ts` serves them from `dist/site`. */
export default defineConfig({
  root: fileURLToPath(new URL('./app', import.meta.url)),
  // Relative, because a Server has the pages below a path of its own.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('./dist/site', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // A data URL in a style sheet or a script could not be cached, and fonts would break the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
