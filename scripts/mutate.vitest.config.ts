/** Runs the tests on a mutant, in a copy of the package. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: fileURLToPath(new URL('./mutate-fixed-seed.ts', import.meta.url)),
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
