import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import type { MemberRole, Role } from '@keyport/contract/roles';
import type { Principal } from '@keyport/http/server/principal';
import type { Tx } from '../db/schema.ts';
import { type AuditRecord, insertAudit } from './append-audit.sql.ts';

export type Acting = {
  readonly principal: Pick<Principal, 'clientId'> & {
    readonly operatorRole?: Role;
    readonly memberRole?: MemberRole;
    readonly address?: string;
  };
  readonly traceId: string;
};

type Details = Pick<AuditRecord, 'accountId' | 'orderId'> & {
  readonly data: Readonly<Record<string, unknown>>;
};

/** `data` must never contain a product key or a secret. */
export async function audit(tx: Tx, acting: Acting, action: AuditAction, details: Details): Promise<void> {
  await insertAudit(tx, auditRecord(acting, action, details));
}

/** `data` must never contain a product key or a secret. */
export function auditRecord(
  { principal, traceId }: Acting,
  action: AuditAction,
  details: Details,
): AuditRecord {
  const { clientId, operatorRole, memberRole, address } = principal;
  const role = operatorRole ?? memberRole;
  return { clientId, role, address, traceId, action, ...details };
}

/** The changed members, for the audit log. */
export function changesBetween<Name extends string>(
  before: Readonly<Record<Name, unknown>>,
  after: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Record<string, { readonly from: unknown; readonly to: unknown }> {
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
