/** What every operator action has in common: who did it, for the audit log, and which page of a list is asked for. */
import type { AuditAction } from '@keyport/contract/admin';
import type { Role } from '@keyport/contract/roles';
import type { AuditRecord } from '../db/audit.sql.ts';
import type { Principal } from '../http/operation.ts';

/** The part of a request that says who is acting. */
export type Acting = {
  readonly principal: Pick<Principal, 'clientId'> & {
    readonly operatorRole?: Role;
    readonly address?: string;
  };
  readonly traceId: string;
};

/** The audit record of an action. `data` says what changed; never a code, never a secret. */
export function auditRecord(
  { principal, traceId }: Acting,
  action: AuditAction,
  details: { accountId?: string | null; data: Record<string, unknown> },
): AuditRecord {
  const { clientId, operatorRole: role, address } = principal;
  return { clientId, role, address, traceId, action, ...details };
}

export type Paging = { readonly page: number; readonly itemsPerPage: number };

const ITEMS_PER_PAGE_DEFAULT = 100;

/** The page that a listing is asked for, with the contract's defaults. */
export function pagingOf(query: {
  readonly page?: number | undefined;
  readonly itemsPerPage?: number | undefined;
}): Paging {
  return { page: query.page ?? 1, itemsPerPage: query.itemsPerPage ?? ITEMS_PER_PAGE_DEFAULT };
}

/** How many rows a page leaves out before its own. */
export function offsetOf({ page, itemsPerPage }: Paging): number {
  return (page - 1) * itemsPerPage;
}
