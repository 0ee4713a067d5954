import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Catalogue } from '@keyport/catalogue/catalogue';
import { ChangeFeed } from '@keyport/catalogue/change-feed';
import { DetailsCache } from '@keyport/catalogue/details-cache';
import { LongPolls } from '@keyport/http/admission/long-polls';
import { audit } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import * as sql from './catalogue-clock.sql.ts';
import { buildChangesHandlers } from './changes.routes.ts';
import { compareCatalogue } from './compare-catalogue.ts';
import { listDetails } from './feed.sql.ts';
import { CatalogueFeed } from './feed.ts';
import { buildOfferHandlers } from './offers.routes.ts';
import { buildProductHandlers } from './products.routes.ts';

const FOLD_SIZE = 500;
const EPOCH_INTERVAL_MS = 1000;
/** A silent database server must delay neither requests nor the shutdown. */
const CLOCK_SILENCE_MAX_MS = 2000;

export type CatalogueFeature = ReturnType<typeof openCatalogue>;

export function openCatalogue(
  { database, log, tracer: { inSpan }, publicUrl }: Platform,
  findProductIds: (words: string) => Promise<readonly string[]>,
) {
  const catalogue = new Catalogue();
  const feed = new CatalogueFeed({ database, catalogue, log, inSpan });
  const onCatalogueChanged = (sale?: sql.OrdersOnlyChange) => feed.announce(sale);
  const loadClock = () =>
    runTransaction(database, { silenceMaxMs: CLOCK_SILENCE_MAX_MS }, (tx) => sql.loadCatalogueClock(tx));
  const polls = new LongPolls();
  const changes = new ChangeFeed({
    catalogue,
    loadClock,
    onNews: () => polls.wake(),
    onUnchecked: (error) => log.debug({ err: error }, 'could not check a cursor ahead of this node'),
  });
  const epochCheck = new RepeatedTask({
    intervalMs: EPOCH_INTERVAL_MS,
    work: () => changes.checkEpoch(),
    onFailure: (error) => log.debug({ err: error }, 'reading the catalogue epoch failed; retrying'),
  });
  const details = new DetailsCache((ids) => listDetails(database.db, ids), publicUrl);
  const compare = (rest: (tookMs: number) => Promise<void>) =>
    compareCatalogue({ database, catalogue, pull: () => feed.pull(), rest });
  return {
    catalogue,
    feed,
    polls,
    onCatalogueChanged,
    compare,
    compareNow: () => compare(() => nextTurn()),
    foldLog: () => foldLog(database),
    handlers: {
      ...buildOfferHandlers({ catalogue, findProductIds }),
      ...buildChangesHandlers({ changes, polls }),
      ...buildProductHandlers({ details, findProducts: (ids) => catalogue.summaries(ids) }),
      /** Invalidates every change feed cursor. A127. */
      restartFeeds: (request) => async (tx) => {
        const data = { reason: request.body.reason, epoch: randomUUID() };
        await audit(tx, request, 'catalogue.restart-feeds', { data });
        await sql.beginCatalogueEpoch(tx, data.epoch);
        return { status: 204, onCommitted: () => changes.checkEpoch() };
      },
    } satisfies Partial<OperationHandlers>,
    async start() {
      await feed.start();
      await changes.start();
      epochCheck.start('later');
    },
    async close() {
      changes.close();
      polls.close();
      await epochCheck.close();
      await feed.close();
    },
  };
}

/** Returns whether more of the log waits. */
async function foldLog(database: Database): Promise<boolean> {
  let isMore = false;
  for (const step of [sql.foldStamps, sql.pruneChangeLog])
    isMore = (await runTransaction(database, {}, (tx) => step(tx, FOLD_SIZE))) === FOLD_SIZE || isMore;
  return isMore;
}
