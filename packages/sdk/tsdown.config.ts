/**
 * Builds the published package: one module for each entry and module system, with its types, and the command.
 */
import { defineConfig } from 'tsdown';

const SHARED = {
  platform: 'neutral',
  target: 'es2022',
  deps: { neverBundle: [/^node:/] },
  dts: { generator: 'oxc' },
  fixedExtension: false,
  minify: 'dce-only',
  // Editors read comments from the type declarations.
  outputOptions: { comments: { jsdoc: false } },
} as const;
const MODULES = ['src/index.ts', 'src/node.ts', 'src/admin.ts'];

// biome-ignore lint/style/noDefaultExport: tsdown reads the default export.
export default defineConfig([
  { ...SHARED, entry: [...MODULES, 'src/cli.ts'], format: 'esm' },
  { ...SHARED, entry: MODULES, format: 'cjs' },
]);
