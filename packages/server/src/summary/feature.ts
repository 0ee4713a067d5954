import { countApprovable } from '../approvals/requesters.ts';
import { buildBooksHandlers } from '../ledger/reports/books.routes.ts';
import type { Platform } from '../platform.ts';
import { SumWorker } from '../sums/sum-worker.ts';
import type { Verification } from '../verify/feature.ts';
import { incidentWatch } from './incidents.ts';
import { buildSummaryHandlers } from './summary.routes.ts';

export function openSummary({ config, database, log }: Platform, { verifier }: Verification) {
  const { lowStockUnits } = config;
  const worker = new SumWorker({ database, log, scarceUnitsMax: lowStockUnits });
  async function listBrokenInvariants() {
    const { invariants = [] } = (await verifier.lastResults()) ?? {};
    return invariants.flatMap(({ broken, ...invariant }) =>
      broken === null || broken === 0 ? [] : [{ ...invariant, broken }],
    );
  }
  const incidents = incidentWatch({ database, listBrokenInvariants }, log);
  return {
    worker,
    incidents,
    handlers: {
      ...buildSummaryHandlers({ database, lowStockUnits, countApprovable, listBrokenInvariants }),
      ...buildBooksHandlers({ database }),
    },
    start() {
      worker.start();
      incidents.start('later');
    },
    async close() {
      await incidents.close();
      await worker.close();
    },
  };
}
