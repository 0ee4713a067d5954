import { countApprovable } from '../approvals/requesters.ts';
import { buildBooksHandlers } from '../ledger/reports/books.routes.ts';
import type { Platform } from '../platform.ts';
import { SumWorker } from '../sums/sum-worker.ts';
import type { Verification } from '../verify/feature.ts';
import { buildSummaryHandlers } from './summary.routes.ts';

export function openSummary({ config, database }: Platform, { listBrokenInvariants }: Verification) {
  const { lowStockUnits } = config;
  const worker = new SumWorker({ database, scarceUnitsMax: lowStockUnits });
  return {
    worker,
    handlers: {
      ...buildSummaryHandlers({ database, lowStockUnits, countApprovable, listBrokenInvariants }),
      ...buildBooksHandlers({ database }),
    },
  };
}
