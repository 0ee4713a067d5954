/** Sums over time and everything that needs attention, for operators. */
import type { Logger } from 'pino';
import { buildDailyBooksHandlers } from '../ledger/reports/books.routes.ts';
import type { AttentionDeps } from './read-attention.ts';
import { SumWorker } from './sum-worker.ts';
import { buildSummaryHandlers } from './summary.routes.ts';

export type SummaryOptions = AttentionDeps & { readonly log: Logger };

export function createSummary(options: SummaryOptions) {
  const { database, log, lowStockUnits } = options;
  const worker = new SumWorker({ database, log, scarceUnitsMax: lowStockUnits });
  return {
    worker,
    handlers: {
      ...buildSummaryHandlers(options),
      ...buildDailyBooksHandlers({ database }),
    },
    start: () => worker.start(),
    close: () => worker.close(),
  };
}
