/**
 * Makes what a first start would make: the empty database that it copies, and compiled code, for which it loads the
 * service.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// As packages/cli/bin/keyport.js names it.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/keyport/', import.meta.url)));
for (const part of [
  'cli/src/program',
  'cli/src/serve/process',
  'server/src/service',
  'server/src/sandbox/feature',
])
  await import(new URL(`../packages/${part}.ts`, import.meta.url).href);
const { makeDatabaseImage } = await import('../packages/server/src/db/migrations/database-image.ts');
await makeDatabaseImage();
