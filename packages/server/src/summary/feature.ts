/** What operators see of the business as a whole: sums over time, and what needs somebody. */
import type { Logger } from 'pino';
import { buildDailyBooksHandlers } from '../ledger/reports/books.routes.ts';
import { type AttentionDeps, buildAttentionHandlers } from './attention.routes.ts';
import { SumWorker } from './sum-worker.ts';
import { buildSummaryHandlers } from './summary.routes.ts';

export type SummaryOptions = AttentionDeps & { readonly log: Logger };

export function createSummary(options: SummaryOptions) {
  const { database, log, lowStockUnits } = options;
  const worker = new SumWorker({ database, log, scarceUnitsMax: lowStockUnits });
  return {
    worker,
    handlers: {
      ...buildSummaryHandlers({ database }),
      ...buildAttentionHandlers(options),
      ...buildDailyBooksHandlers({ database }),
    },
    start: () => worker.start(),
    close: () => worker.close(),
  };
}
