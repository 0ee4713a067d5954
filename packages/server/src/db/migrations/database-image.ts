/** `npm ci` creates an empty database without secrets in `build`; the first start copies this database. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENGINE_VERSION } from '../engines/embedded.ts';

const MIGRATIONS = new URL('./', import.meta.url);

/** The name depends on the schema and the engine. */
export function databaseImage(): string {
  const hash = createHash('sha256').update(JSON.stringify(ENGINE_VERSION));
  for (const file of readdirSync(MIGRATIONS).toSorted())
    if (file.endsWith('.sql')) hash.update(readFileSync(new URL(file, MIGRATIONS)));
  const name = `database-${hash.digest('hex').slice(0, 16)}`;
  return fileURLToPath(new URL(`../../../build/${name}`, import.meta.url));
}
