/** A decision locks the approval before the write takes its own locks. */
import type { APPROVAL_STATUSES } from '@keyport/contract/operators/approvals';
import type { ApprovableOperation, WritePreview } from '@keyport/contract/operators/previews';
import type { Role } from '@keyport/contract/roles';
import type { Principal } from '@keyport/http/server/principal';
import { type List, numberKey } from '../db/keyset.sql.ts';
import { allRows, allValues, execute, firstRow, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';

export type StoredRequest = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
};

export type ApprovalRow = {
  readonly id: number;
  readonly status: (typeof APPROVAL_STATUSES)[number];
  readonly operation: ApprovableOperation;
  readonly request: StoredRequest;
  readonly preview: WritePreview;
  readonly amountMinor: number;
  readonly accountId: string;
  readonly orderId: string | null;
  readonly requestedBy: string;
  readonly requestedAtMicros: number;
  readonly decidedBy: string | null;
  readonly decidedAtMicros: number | null;
  readonly decisionReason: string | null;
  readonly stateTag: string;
};

const COLUMNS = sql`id, status, operation, request, preview, amount_minor AS "amountMinor", account_id AS "accountId",
  order_id::text AS "orderId", requested_by AS "requestedBy", ${deriveMicros('requested_at')} AS "requestedAtMicros",
  decided_by AS "decidedBy", ${deriveMicros('decided_at')} AS "decidedAtMicros", decision_reason AS "decisionReason",
  state_tag AS "stateTag"`;

export type Requester = {
  readonly id: string;
  readonly role: Role | null;
  readonly isDisabled: boolean;
  readonly isSamePerson: boolean;
};

/** Everyone who could act as this id: the id itself and, recursively, all holders of their secrets or links. */
const toChain = (id: string) => sql`
  SELECT ${id}::text COLLATE "C" AS id
  UNION SELECT holder FROM credential_holder JOIN chain USING (id)`;

/** Index: the primary keys. */
export function loadRequesters(db: Db, approverId: string, ids: readonly string[]): Promise<Requester[]> {
  return allRows<Requester>(db)`
    WITH RECURSIVE chain (id) AS (${toChain(approverId)}),
    -- A client acts for the holders of its secrets; an operator acts only for themselves.
    behind (requester, id) AS (
      SELECT asked.id, asked.id FROM unnest(${[...ids]}::text[] COLLATE "C") AS asked (id)
      UNION SELECT requester, holder FROM behind JOIN client USING (id) JOIN credential_holder USING (id))
    SELECT asked.id, coalesce(person.role, client.operator_role) AS role,
      num_nonnulls(person.disabled_at, client.disabled_at) > 0 AS "isDisabled",
      EXISTS (SELECT FROM behind JOIN chain USING (id) WHERE requester = asked.id) AS "isSamePerson"
    FROM unnest(${[...ids]}::text[] COLLATE "C") AS asked (id)
    LEFT JOIN person USING (id) LEFT JOIN client USING (id)`;
}

export function listWaitingRequesters(db: Db): Promise<string[]> {
  return allValues<{ id: string }>(db)`
    SELECT DISTINCT requested_by AS id FROM approval WHERE status = 'pending'`;
}

export function listWaitingOf(
  db: Db,
  { requestedBy, operation }: Pick<ApprovalRow, 'requestedBy' | 'operation'>,
): Promise<Pick<ApprovalRow, 'id'>[]> {
  return allRows<Pick<ApprovalRow, 'id'>>(db)`
    SELECT id FROM approval
    WHERE status = 'pending' AND requested_by = ${requestedBy} AND operation = ${operation} ORDER BY id`;
}

/** `versions` are the current versions of the rows behind the preview. */
export function listOutdated(db: Db): Promise<(ApprovalRow & { readonly versions: string })[]> {
  return allRows<ApprovalRow & { versions: string }>(db)`
    SELECT * FROM (
      SELECT ${COLUMNS}, row_versions,
        concat((SELECT xmin FROM account WHERE account.id = account_id), ' ',
          (SELECT xmin FROM "order" WHERE "order".id = order_id), ' ',
          (SELECT xmin FROM claim WHERE claim.id = request -> 'params' ->> 'claimId')) AS versions
      FROM approval WHERE status = 'pending'
    ) AS pending WHERE row_versions IS DISTINCT FROM versions ORDER BY id`;
}

/** Does nothing if the approval was decided. */
export async function updatePreview(
  tx: Tx,
  id: number,
  shown: { readonly preview: WritePreview; readonly stateTag: string; readonly versions: string },
): Promise<void> {
  await execute(tx)`
    UPDATE approval SET preview = ${JSON.stringify(shown.preview)}::jsonb, state_tag = ${shown.stateTag},
      row_versions = ${shown.versions} WHERE id = ${id}::bigint AND status = 'pending'`;
}

type ApprovalFilter = {
  readonly status?: ApprovalRow['status'];
  readonly accountId?: string;
  readonly orderId?: string;
  readonly approvable?: ApprovableRequests;
};

export type ApprovableRequests = readonly Pick<ApprovalRow, 'requestedBy' | 'operation'>[];

type NewApproval = Pick<
  ApprovalRow,
  'operation' | 'request' | 'preview' | 'stateTag' | 'amountMinor' | 'accountId' | 'orderId' | 'requestedBy'
> & { readonly reference: string | null };

export function insertApproval(tx: Tx, approval: NewApproval): Promise<ApprovalRow> {
  return onlyRow<ApprovalRow>(tx)`
    INSERT INTO approval (operation, request, preview, amount_minor, account_id, order_id, reference, requested_by, requested_at,
      state_tag)
    VALUES (${approval.operation}, ${JSON.stringify(approval.request)}::jsonb, ${JSON.stringify(approval.preview)}::jsonb,
      ${approval.amountMinor}, ${approval.accountId}::uuid, ${approval.orderId}::bigint, ${approval.reference},
      ${approval.requestedBy}, statement_timestamp(), ${approval.stateTag})
    RETURNING ${COLUMNS}`;
}

/** Locks the account, so a concurrent request finds the first. Index: approval_reference_uq. */
export async function findWaiting(
  tx: Tx,
  { operation, accountId, reference }: Pick<NewApproval, 'operation' | 'accountId' | 'reference'>,
): Promise<ApprovalRow | undefined> {
  await execute(tx)`SELECT FROM account WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
  return firstRow<ApprovalRow>(tx)`
    SELECT ${COLUMNS} FROM approval WHERE operation = ${operation} AND account_id = ${accountId}::uuid
      AND reference = ${reference} AND status = 'pending'`;
}

const OPEN_MAX = 20;

/** Oldest first. */
export function listOpen(
  tx: Tx,
  {
    orderId = null,
    accountId = null,
  }: { readonly orderId?: string | null; readonly accountId?: string | null },
) {
  return allRows<Pick<ApprovalRow, 'id' | 'operation' | 'amountMinor' | 'requestedBy' | 'requestedAtMicros'>>(
    tx,
  )`
    SELECT id, operation, amount_minor AS "amountMinor", requested_by AS "requestedBy",
      ${deriveMicros('requested_at')} AS "requestedAtMicros"
    FROM approval WHERE status = 'pending' AND (order_id = ${orderId}::bigint OR account_id = ${accountId}::uuid)
    ORDER BY id LIMIT ${OPEN_MAX}`;
}

export function findApproval(db: Db, id: string): Promise<ApprovalRow | undefined> {
  return firstRow<ApprovalRow>(db)`SELECT ${COLUMNS} FROM approval WHERE id = ${id}::bigint`;
}

export function lockApproval(tx: Tx, id: string): Promise<ApprovalRow | undefined> {
  return firstRow<ApprovalRow>(tx)`
    SELECT ${COLUMNS} FROM approval WHERE id = ${id}::bigint FOR NO KEY UPDATE`;
}

export function decideApproval(
  tx: Tx,
  id: number,
  decision: {
    readonly status: 'approved' | 'rejected';
    readonly by: string;
    readonly reason: string | null;
    readonly preview: WritePreview;
  },
): Promise<ApprovalRow> {
  return onlyRow<ApprovalRow>(tx)`
    UPDATE approval SET status = ${decision.status}, decided_by = ${decision.by}, decided_at = statement_timestamp(),
      decision_reason = ${decision.reason}, preview = ${JSON.stringify(decision.preview)}::jsonb,
      approver_chain = CASE ${decision.status} WHEN 'approved' THEN ARRAY(
        WITH RECURSIVE chain (id) AS (${toChain(decision.by)}) SELECT id FROM chain ORDER BY id) END
    WHERE id = ${id}::bigint RETURNING ${COLUMNS}`;
}

function isApprovable(approvable: ApprovableRequests) {
  return sql`status = 'pending' AND (requested_by, operation) IN (SELECT * FROM unnest(
    ${approvable.map(({ requestedBy }) => requestedBy)}::text[] COLLATE "C",
    ${approvable.map(({ operation }) => operation)}::text[] COLLATE "C"))`;
}

/** EUR cents as digits. */
export function sumApprovable(db: Db, approvable: ApprovableRequests) {
  return onlyRow<{ count: number; amountMinor: string; oldestMicros: number | null }>(db)`
    SELECT count(*) AS count, coalesce(sum(amount_minor), 0)::text AS "amountMinor",
      ${deriveMicros('min(requested_at)')} AS "oldestMicros"
    FROM approval WHERE ${isApprovable(approvable)}`;
}

export function listIdsOf(db: Db, approvable: ApprovableRequests): Promise<string[]> {
  return allValues<{ id: string }>(db)`
    SELECT id::text AS id FROM approval WHERE ${isApprovable(approvable)}`;
}

/** Newest first. Index: primary key. */
export function approvalsList({ status, accountId, orderId, approvable }: ApprovalFilter): List {
  return {
    from: sql`approval`,
    alias: 'approval',
    amount: { minor: sql`amount_minor`, currency: sql.constant('EUR'), decimals: sql`2` },
    key: [numberKey('approval.id')],
    isDescending: true,
    scanned: [
      ...(status === undefined ? [] : [sql`status = ${sql.constant(status)}`]),
      ...(accountId === undefined ? [] : [sql`account_id = ${accountId}::uuid`]),
      ...(orderId === undefined ? [] : [sql`order_id = ${orderId}::bigint`]),
      ...(approvable === undefined ? [] : [isApprovable(approvable)]),
    ],
  };
}

export function loadApprovals(db: Db, ids: readonly string[]): Promise<ApprovalRow[]> {
  return allRows<ApprovalRow>(db)`
    SELECT ${COLUMNS} FROM approval WHERE id = ANY (${[...ids]}::bigint[])`;
}

export function countPending(db: Db): Promise<number> {
  return onlyValue<{ pending: number }>(db)`
    SELECT count(*) AS pending FROM approval WHERE status = 'pending'`;
}
