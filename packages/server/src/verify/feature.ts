import type { CatalogueFeature } from '../catalogue/feature.ts';
import type { Platform } from '../platform.ts';
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
  const { inSpan } = tracer;
  const verifier = new PeriodicVerifier({
    database,
    log,
    inSpan,
    compareCatalogue: catalogue.compare,
    intervalMs,
  });
  async function listBrokenInvariants() {
    const { invariants = [] } = (await verifier.lastResults()) ?? {};
    return invariants.flatMap(({ broken, ...invariant }) =>
      broken === null || broken === 0 ? [] : [{ ...invariant, broken }],
    );
  }
  return {
    verifier,
    listBrokenInvariants,
    handlers: buildVerifyHandlers(verification),
    verify: () => verifyInvariants(database, verification),
    start() {
      // The embedded engine has one session.
      if (intervalMs > 0 && database.kind === 'postgres') verifier.start();
    },
    close: () => verifier.close(),
  };
}
