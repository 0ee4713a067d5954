/** Builds the published package: one module for each entry, with its types. */
import { defineConfig } from 'tsdown';

// biome-ignore lint/style/noDefaultExport: tsdown reads the default export.
export default defineConfig({
  entry: ['src/index.ts', 'src/node.ts', 'src/admin.ts'],
  platform: 'neutral',
  target: 'es2022',
  deps: { neverBundle: [/^node:/] },
  format: ['esm', 'cjs'],
  dts: { oxc: true },
  fixedExtension: false,
  minify: 'dce-only',
});
