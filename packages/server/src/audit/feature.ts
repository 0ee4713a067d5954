import type { Platform } from '../platform.ts';
import { buildAuditHandlers } from './audit.routes.ts';
import { AuditSealer } from './sealer.ts';

export function openAudit({ database, secrets, log }: Platform) {
  const key = secrets.auditMac;
  const sealer = new AuditSealer({ database, key, log });
  return {
    handlers: buildAuditHandlers(database, key),
    seal: () => sealer.seal(),
    start() {},
    /** Leaves nothing unsealed. */
    close: () =>
      sealer
        .sealAll()
        .catch((error: unknown) => log.error({ err: error }, 'chaining the audit log failed at the end')),
  };
}
