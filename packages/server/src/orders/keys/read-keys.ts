/** A43 to A46. */

import type { MemberRole } from '@keyport/contract/roles';
import { formatDateTime, MICROS_PER_HOUR } from '@keyport/core/date-time';
import { type IncompleteOrder, type KeysRejection, rejectKeys } from '@keyport/core/orders/order-keys';
import { ApiError } from '@keyport/http/replies/api-error';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { OrderDeps } from '../order-deps.ts';
import * as sql from './order-keys.sql.ts';

type KeysRequest = {
  readonly orderId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly memberRole?: MemberRole;
  readonly address?: string;
  readonly traceId: string;
};

/** The read is recorded before a code is sent. */
export async function readKeys(
  deps: Pick<OrderDeps, 'database' | 'openCodes' | 'keysWindowHours'>,
  request: KeysRequest,
) {
  const { itemIds, units } = await runTransaction(deps.database, {}, (tx) => recordRead(tx, request, deps));
  const codes = await deps.openCodes(deps.database.db, units);
  // Orders placed here have one line.
  return itemIds.map((id) => ({ item: { id }, keys: codes.map((code) => ({ code })) }));
}

export async function recordRead(
  tx: Tx,
  { orderId, accountId, clientId, memberRole: role, address, traceId }: KeysRequest,
  deps: Pick<OrderDeps, 'keysWindowHours'>,
) {
  const order = await sql.findKeysOrder(tx, orderId, accountId);
  if (order === undefined) throw new ApiError('order-not-found');
  const windowMicros = deps.keysWindowHours * MICROS_PER_HOUR;
  const rejection = rejectKeys(order, { nowMicros: order.nowMicros, windowMicros });
  if (rejection !== undefined) throw describeKeysRejection(rejection, deps.keysWindowHours);
  const itemIds = await sql.listItemIds(tx, orderId);
  const units = await sql.listSealedUnits(tx, orderId);
  const data = { items: itemIds, keys: units.length };
  const record = { clientId, role, address, action: 'keys.read', accountId, orderId, traceId, data } as const;
  const auditEntryId = await insertAudit(tx, record);
  const unitIds = units.map(({ id }) => id);
  await sql.insertReveals(tx, orderId, unitIds, auditEntryId);
  return { itemIds, units };
}

/** `rule`: the first sentence of the message. */
export function describeIncomplete(
  { code, status, isRetryable: retryable }: IncompleteOrder,
  rule: string,
): ApiError {
  const now = retryable
    ? `The order is ${status} now; retry later.`
    : status === 'closed'
      ? 'The order is closed: all its units were refunded.'
      : `The order is ${status} and cannot become complete.`;
  return new ApiError(code, { message: `${rule} ${now}`, data: { status, retryable } });
}

export function describeKeysRejection(rejection: KeysRejection, windowHours: number): ApiError {
  switch (rejection.code) {
    case 'order-auto-refund-image-keys':
      return new ApiError(rejection.code);
    case 'order-not-complete':
      return describeIncomplete(rejection, 'Keys can be read only when the order is complete.');
    case 'order-expired': {
      const completedAt = formatDateTime(rejection.completedAtMicros);
      return new ApiError(rejection.code, {
        message: `The keys could be read for ${windowHours} hours after the order became complete at ${completedAt}. Ask your account manager.`,
        data: { completedAt, windowHours },
      });
    }
  }
}
