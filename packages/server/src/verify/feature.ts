import type { CatalogueFeature } from '../catalogue/feature.ts';
import type { Platform } from '../platform.ts';
import { createCatalogueCheck } from './catalogue-check.ts';
import { PeriodicVerifier } from './periodic.ts';
import { buildVerifyHandlers, verifyInvariants } from './verify.ts';

export type Verification = ReturnType<typeof openVerification>;

export function openVerification(
  platform: Platform,
  catalogue: Pick<CatalogueFeature, 'compare' | 'compareNow'>,
) {
  const { config, database, log, secrets, tracer } = platform;
  const intervalMs = config.verifyIntervalSeconds * 1000;
  const { auditMac } = secrets;
  const verification = { database, auditMac, compareCatalogue: catalogue.compareNow };
  const verifier = new PeriodicVerifier({ database, log, inSpan: tracer.inSpan, intervalMs });
  const catalogueCheck = createCatalogueCheck(catalogue.compare, log, intervalMs);
  async function listBrokenInvariants() {
    const { invariants = [] } = (await verifier.lastResults()) ?? {};
    return invariants.flatMap(({ broken, ...invariant }) =>
      broken === null || broken === 0 ? [] : [{ ...invariant, broken }],
    );
  }
  return {
    verifier,
    listBrokenInvariants,
    catalogueCheck,
    handlers: buildVerifyHandlers(verification),
    verify: () => verifyInvariants(database, verification),
    start() {
      // The embedded engine has one session.
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
