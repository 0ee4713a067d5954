/** Requests rows before processing the previous ones, so that database and process work concurrently. */
import { Catalogue } from '@keyport/catalogue/catalogue';
import { type PreparedProduct, prepareCatalogue } from '@keyport/catalogue/render';
import { must } from '@keyport/core/assert';
import type { Database } from '../db/engines/database.ts';
import { runPipelinedTransaction } from '../db/transaction.ts';
import { declareProducts, fetchProducts, listLog, loadFoldedThrough, toProduct } from './feed.sql.ts';
import { lastStamps } from './read-changes.ts';

const FETCH_SIZE = 1000;
const DEADLINE_MS = 30 * 60_000;

export async function loadCatalogue(database: Database): Promise<Catalogue> {
  const { products, throughMicros } = await readCatalogue(database);
  const catalogue = new Catalogue();
  catalogue.fill(products);
  catalogue.throughMicros = throughMicros;
  return catalogue;
}

type Loaded = { readonly products: PreparedProduct[]; readonly throughMicros: number };

function readCatalogue(database: Database): Promise<Loaded> {
  return runPipelinedTransaction(
    database,
    { isSnapshot: true, deadlineMs: DEADLINE_MS },
    {
      async load(session): Promise<Loaded> {
        const products: PreparedProduct[] = [];
        const prepare = prepareCatalogue();
        const foldedThroughMicros = await loadFoldedThrough(session);
        const log = must(await listLog(session, foldedThroughMicros), 'the log has all unfolded changes');
        const recent = lastStamps(log);
        const declared = declareProducts(session);
        let next = fetchProducts(session, FETCH_SIZE);
        await declared;
        for (;;) {
          const rows = await next;
          if (rows.length === 0) break;
          next = fetchProducts(session, FETCH_SIZE);
          // The next await reports a failure.
          next.catch(() => {});
          for (const row of rows) {
            products.push(prepare(toProduct({ ...row, stamp: recent.get(row.id)?.stamp ?? row.stamp })));
          }
        }
        return { products, throughMicros: log.at(-1)?.stamp ?? foldedThroughMicros };
      },
      save: (_session, loaded) => ({ value: loaded, sent: [] }),
    },
  );
}
