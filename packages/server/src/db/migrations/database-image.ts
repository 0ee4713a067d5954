/** `npm ci` leaves an empty embedded database in `build`, without secrets, which the first start copies. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../engines/database.ts';
import { ENGINE_VERSION } from '../engines/embedded.ts';
import { MIGRATIONS, migrateToLatest } from './migrate.ts';

const BUILD_FOLDER = fileURLToPath(new URL('../../../build/', import.meta.url));

export function databaseImage(): string {
  const content = JSON.stringify([ENGINE_VERSION, MIGRATIONS]);
  return join(BUILD_FOLDER, `database-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`);
}

export async function makeDatabaseImage(): Promise<void> {
  const image = databaseImage();
  if (existsSync(image)) return;
  await mkdir(BUILD_FOLDER, { recursive: true });
  const others = await readdir(BUILD_FOLDER);
  const draft = await mkdtemp(join(BUILD_FOLDER, 'draft-'));
  const database = await openDatabase({ url: undefined, dataDir: draft });
  try {
    await migrateToLatest(database);
  } finally {
    await database.close();
  }
  await rename(join(draft, 'database'), image);
  for (const folder of [draft, ...others.map((name) => join(BUILD_FOLDER, name))])
    await rm(folder, { recursive: true });
}
