/**
 * Prepares what a first start would otherwise create: the empty database that it copies, and the compile
 * cache.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The same folder as in packages/cli/bin/keyport.js.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/keyport/', import.meta.url)));
for (const part of [
  'cli/src/program',
  'cli/src/serve/process',
  'server/src/service',
  'server/src/sandbox/feature',
])
  await import(new URL(`../packages/${part}.ts`, import.meta.url).href);
const { databaseImage } = await import('../packages/server/src/db/migrations/database-image.ts');
const image = databaseImage();
if (!existsSync(image)) await makeDatabaseImage();

async function makeDatabaseImage() {
  const { openDatabase } = await import('../packages/server/src/db/engines/database.ts');
  const { migrateToLatest } = await import('../packages/server/src/db/migrations/migrate.ts');
  const folder = dirname(image);
  await mkdir(folder, { recursive: true });
  const others = await readdir(folder);
  const draft = await mkdtemp(join(folder, 'draft-'));
  const database = await openDatabase({ url: undefined, dataDir: draft });
  try {
    await migrateToLatest(database);
    await database.withOwnSession(async (session) => {
      // The templates are half of the files that a first start copies, and nothing creates another database.
      await session.query(`UPDATE pg_database SET datistemplate = false WHERE datistemplate`);
      for (const name of ['template0', 'template1']) await session.query(`DROP DATABASE ${name}`);
    });
  } finally {
    await database.close();
  }
  await rename(join(draft, 'database'), image);
  for (const path of [draft, ...others.map((name) => join(folder, name))])
    await rm(path, { recursive: true });
}
