/** Checks of the invariants, by request and from time to time. */
import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { InSpan } from '../in-span.ts';
import { CatalogueCheck, type CatalogueCheckOptions } from './catalogue-check.ts';
import { PeriodicVerifier } from './periodic.ts';
import { buildVerifyHandlers, type CheckResult } from './verify.ts';

export type VerificationOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly inSpan: InSpan;
  readonly auditMac: KeyObject;
  readonly intervalMs: number;
  readonly checkClock: () => Promise<void>;
  readonly compare: CatalogueCheckOptions['compare'];
  readonly compareNow: () => Promise<CheckResult>;
};

export function createVerification(options: VerificationOptions) {
  const { database, log, inSpan, auditMac, intervalMs, checkClock, compare, compareNow } = options;
  const verifier = new PeriodicVerifier({ database, log, inSpan, checkClock, intervalMs });
  const catalogueCheck = new CatalogueCheck({ compare, log, intervalMs });
  return {
    verifier,
    catalogueCheck,
    handlers: buildVerifyHandlers({ database, checkClock, auditMac, compareCatalogue: compareNow }),
    start() {
      // The embedded engine has one session, and a check would keep the orders waiting.
      if (intervalMs === 0 || database.kind !== 'postgres') return;
      verifier.start();
      catalogueCheck.start();
    },
    async close() {
      await verifier.close();
      await catalogueCheck.close();
    },
  };
}
