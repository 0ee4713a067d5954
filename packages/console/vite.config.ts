/**
 * Builds an app from the shared parts: `vite build --mode console` builds the operators' console, `--mode portal` that
 * of resellers. The service writes its path and a nonce into each page that it sends.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { defineConfig } from 'vite';

/** The schemas of the bodies that forms need; with the whole contract, the console would be twice as large. */
function describeBodies(audience: string): string {
  const bodies = OPERATION_LIST.filter((operation) => operation.audience === audience).map(
    ({ name, body }) => [name, body],
  );
  const isNeeded = (name: string, value: unknown) =>
    !(name === 'description' && typeof value === 'string') && name !== 'examples';
  return JSON.stringify(Object.fromEntries(bodies), (name, value) =>
    isNeeded(name, value) ? value : undefined,
  );
}

const BODIES = 'virtual:bodies';
const AUDIENCES: Readonly<Record<string, string>> = { console: 'operator', portal: 'reseller' };

const PREACT = [
  { find: /^react(?:-dom)?$/, replacement: fileURLToPath(new URL('src/portal/react.js', import.meta.url)) },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
];

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig(({ mode }) => ({
  // Relative, so that the same build works behind a path prefix.
  base: './',
  plugins: [
    {
      name: 'theme-script',
      // A classic script, which runs before the first paint. Vite leaves it unchanged.
      transformIndexHtml: () => [
        { tag: 'script', attrs: { src: './assets/theme-1.js' }, injectTo: 'head-prepend' },
      ],
    },
    {
      name: 'bodies',
      resolveId: (id) => (id === BODIES ? id : undefined),
      load: (id) =>
        id === BODIES ? `export const BODIES = ${describeBodies(AUDIENCES[mode] ?? 'operator')}` : undefined,
    },
    {
      name: 'compress',
      // Compressed here as much as possible, so that the service does not compress files at run time.
      writeBundle({ dir = '' }, bundle) {
        for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file)))
          writeFileSync(`${dir}/${name}.br`, brotliCompressSync(readFileSync(`${dir}/${name}`)));
      },
    },
  ],
  // React's renderer would be a third of the portal's first screen. The console stays on React: Preact runs effects later,
  // and three of its browser tests failed (the palette's field, a list's scroll position after Back, a row of a new filter).
  resolve: { alias: mode === 'portal' ? PREACT : [] },
  html: { cspNonce: 'KEYPORT_NONCE' },
  build: {
    outDir: `dist/${mode}`,
    target: 'es2023',
    // Avoids `data:` URLs, because the content security policy allows them for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Mantine marks its modules for rendering on a server, which the console does not use.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
    reportCompressedSize: false,
  },
}));
