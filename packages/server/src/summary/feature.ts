/** Sums for operators: what was sold, rejected and given back over time. */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { SumWorker } from './sum-worker.ts';
import { buildSummaryHandlers } from './summary.routes.ts';

export type SummaryOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly lowStockUnits: number;
};

export function createSummary({ database, log, lowStockUnits }: SummaryOptions) {
  const worker = new SumWorker({ database, log, scarceUnitsMax: lowStockUnits });
  return {
    worker,
    handlers: buildSummaryHandlers({ database }),
    start: () => worker.start(),
    close: () => worker.close(),
  };
}
