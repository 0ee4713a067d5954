/**
 * Changes the prices of a number of offers per second, fifty per transaction, like the operator interface.
 * Regularly reports a changed product and the time of its commit.
 */
import { logChanges } from '@keyport/server/catalogue/catalogue-clock.sql';
import { openDatabase } from '@keyport/server/db/engines/database';
import { sql } from '@keyport/server/db/sql';
import { deriveMicros } from '@keyport/server/db/timestamps';
import { runTransaction } from '@keyport/server/db/transaction';
import { toProductId } from './catalogue-seed.ts';

export type WriterOrder = {
  readonly databaseUrl: string;
  readonly changesPerSecond: number;
  readonly products: number;
};

export type Committed = {
  readonly productId: string;
  readonly stampMicros: number;
  readonly committedAtMs: number;
};

const BATCH_SIZE = 50;

const NOTIFY_INTERVAL_MS = 60;

let isEnding = false;
process.once('SIGTERM', () => {
  isEnding = true;
});

process.once('message', async (order: WriterOrder) => {
  const database = await openDatabase({ url: order.databaseUrl, dataDir: 'memory' });
  console.log(JSON.stringify({ url: 'http://127.0.0.1:0' }));
  const startedAtMs = performance.now();
  let notifiedAtMs = 0;
  for (let done = 0; !isEnding; ) {
    const dueMs = startedAtMs + (done / order.changesPerSecond) * 1000;
    if (dueMs > performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
    }
    const ids = Array.from({ length: BATCH_SIZE }, () =>
      toProductId(Math.floor(Math.random() * order.products)),
    );
    await runTransaction(database, {}, async (tx) => {
      await sql`
        UPDATE offer SET price_minor = 500 + (price_minor + 17) % 4000
        WHERE id IN (
          SELECT DISTINCT ON (product_id) id FROM offer WHERE product_id = ANY (${ids}::bigint[]) ORDER BY product_id, id
        )`.execute(tx);
      await logChanges(tx, { productIds: ids });
    });
    const committedAtMs = performance.timeOrigin + performance.now();
    // Every node notifies the others like this.
    await sql`SELECT pg_notify('keyport_catalogue', 'catalogue-writer')`.execute(database.db);
    done += BATCH_SIZE;
    if (performance.now() - notifiedAtMs < NOTIFY_INTERVAL_MS) continue;
    notifiedAtMs = performance.now();
    const [productId = ''] = ids;
    const { rows } = await sql<{ stamp: number }>`
      SELECT ${deriveMicros('stamp')} AS stamp FROM stamped_product WHERE product_id = ${productId}`.execute(
      database.db,
    );
    const reported: Committed = { productId, stampMicros: rows[0]?.stamp ?? 0, committedAtMs };
    process.send?.(reported);
  }
  await database.close();
  process.exit(0);
});
