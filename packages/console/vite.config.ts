/** Builds the console into dist/. The service writes its path and a nonce into each page that it sends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { defineConfig } from 'vite';

const sdk = fileURLToPath(new URL('../sdk/src/', import.meta.url));

const BODIES = 'virtual:bodies';

/** The schemas of the bodies that forms need; with the whole contract, the console would be twice as large. */
function describeBodies(): string {
  const bodies = OPERATION_LIST.filter(({ audience }) => audience === 'operator').map(({ name, body }) => [
    name,
    body,
  ]);
  const isNeeded = (name: string, value: unknown) =>
    !(name === 'description' && typeof value === 'string') && name !== 'examples';
  return JSON.stringify(Object.fromEntries(bodies), (name, value) =>
    isNeeded(name, value) ? value : undefined,
  );
}

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
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
      load: (id) => (id === BODIES ? `export const OPERATOR_BODIES = ${describeBodies()}` : undefined),
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
  html: { cspNonce: 'KEYPORT_NONCE' },
  // An installation without development dependencies has no built SDK.
  resolve: { alias: { '@keyport/sdk/admin': `${sdk}admin.ts` } },
  build: {
    target: 'es2023',
    // Avoids `data:` URLs, because the content security policy allows them for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Mantine marks its modules for rendering on a server, which the console does not use.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
    reportCompressedSize: false,
  },
});
