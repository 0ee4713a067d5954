/** An empty database with the same bytes in every run. */
import { openOnEngine } from '../../packages/server/src/db/engines/database.ts';
import { migrateToLatest } from '../../packages/server/src/db/migrations/migrate.ts';
import { withDeterminism } from './determinism.ts';
import { FaultyEngine } from './faulty-engine.ts';

const MADE_AT_MICROS = Date.UTC(2026, 0, 1) * 1000;

export function makeEmptyDatabase(): Promise<Uint8Array<ArrayBuffer>> {
  return withDeterminism('empty', MADE_AT_MICROS, async () => {
    const engine = await FaultyEngine.open(undefined, () => {});
    const database = openOnEngine(engine, {});
    try {
      await migrateToLatest(database);
      return await engine.dump();
    } finally {
      await database.close();
    }
  });
}
