/** Order history, one order, and the keys of an order. R18, R22, A12, A43 to A46. */
import { buildMeta } from '@keyport/contract/envelope';
import { formatDateTime, MICROS_PER_HOUR } from '@keyport/core/date-time';
import { type KeysRejection, rejectKeys } from '@keyport/core/order-keys';
import type { OrderStatus } from '@keyport/core/order-status';
import { ApiError } from '@keyport/http/replies/api-error';
import { offsetOf, pagingOf } from '@keyport/http/validation/paging';
import { parseTimeRange } from '@keyport/http/validation/query';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import {
  findKeysOrder,
  insertReveals,
  listItemIds,
  listSealedUnits,
  type SealedUnit,
} from '../keys/order-keys.sql.ts';
import { buildOrder } from '../order-response.ts';
import { loadHistoryPage } from './history.ts';
import { findOrder } from './read-orders.sql.ts';

export type ReadOrdersDeps = {
  readonly database: Database;
  readonly keysWindowHours: number;
  /** How far the database's clock has just stepped, given what it says (A221); microseconds. */
  readonly unnoticedMicros: (nowMicros: number) => number;
  /** Opens sealed units, in their order; custody is another feature and comes in from app.ts. */
  readonly openCodes: (units: readonly SealedUnit[]) => Promise<string[]>;
};

type ReadOrderHandlers = Pick<OperationHandlers, 'listOrders' | 'getOrder' | 'getOrderKeys'>;

export type HistoryQuery = {
  readonly status?: OrderStatus;
  readonly dateFrom?: string;
  readonly dateTo?: string;
  readonly orderId?: string;
  readonly page?: number;
  readonly itemsPerPage?: number;
  readonly sort?: 'ASC' | 'DESC';
};

/** A page of the history; of one account, or of all when `accountId` is undefined. */
export async function readHistory(database: Database, query: HistoryQuery, accountId: string | undefined) {
  const paging = pagingOf(query);
  const filter = {
    accountId,
    status: query.status,
    orderId: query.orderId,
    ...parseTimeRange(query, 'dateFrom', 'dateTo'),
  };
  const page = { offset: offsetOf(paging), limit: paging.itemsPerPage };
  const wanted = { filter, direction: query.sort ?? 'DESC', ...page };
  const { orders, totalResults } = await loadHistoryPage(database, wanted);
  return { orders, meta: buildMeta({ ...paging, totalResults }) };
}

export function buildReadOrderHandlers(deps: ReadOrdersDeps): ReadOrderHandlers {
  const { database } = deps;
  return {
    listOrders: async ({ query, principal }) => {
      const { orders, meta } = await readHistory(database, query, principal.accountId);
      return { status: 200, data: orders.map(buildOrder), meta };
    },
    getOrder: async ({ params, principal }) => {
      const order = await findOrder(database.kysely, params.orderId, principal.accountId);
      if (order === undefined) throw new ApiError('order-not-found');
      return { status: 200, data: buildOrder(order) };
    },
    getOrderKeys: async ({ params, principal, traceId }) => {
      const data = await readKeys(deps, { orderId: params.orderId, ...principal, traceId });
      return { status: 200, data, headers: { 'cache-control': 'no-store' } };
    },
  };
}

/** The keys of each item; the read is on record before a code leaves (A46). */
async function readKeys(
  deps: ReadOrdersDeps,
  request: {
    readonly orderId: string;
    readonly accountId: string;
    readonly clientId: string;
    readonly traceId: string;
  },
) {
  const { orderId, accountId, clientId, traceId } = request;
  const { itemIds, units } = await runTransaction(deps.database, {}, async (tx) => {
    const order = await findKeysOrder(tx, orderId, accountId, deps.keysWindowHours);
    if (order === undefined) throw new ApiError('order-not-found');
    const windowMicros = deps.keysWindowHours * MICROS_PER_HOUR;
    const aheadMicros = order.leadMicros + Math.max(0, deps.unnoticedMicros(order.nowMicros));
    const rejection = rejectKeys(order, { nowMicros: order.nowMicros - aheadMicros, windowMicros });
    if (rejection !== undefined) throw describeKeysRejection(rejection, deps.keysWindowHours);
    const itemIds = await listItemIds(tx, orderId);
    const units = await listSealedUnits(tx, orderId);
    const data = { items: itemIds, keys: units.length };
    const auditEntryId = await insertAudit(tx, {
      clientId,
      action: 'keys.read',
      accountId,
      orderId,
      traceId,
      data,
    });
    await insertReveals(
      tx,
      orderId,
      units.map(({ id }) => id),
      auditEntryId,
    );
    return { itemIds, units };
  });
  const codes = await deps.openCodes(units);
  // Units belong to orders made here, and those have one line.
  return itemIds.map((id) => ({ item: { id }, keys: codes.map((code) => ({ code })) }));
}

export function describeKeysRejection(rejection: KeysRejection, windowHours: number): ApiError {
  switch (rejection.code) {
    case 'order-auto-refund-image-keys':
      return new ApiError(rejection.code);
    case 'order-not-complete': {
      const { status, isRetryable: retryable } = rejection;
      return new ApiError(rejection.code, {
        message: `Keys can be read only when the order is complete. The order is ${status} ${retryable ? 'now; retry later' : 'and cannot become complete'}.`,
        data: { status, retryable },
      });
    }
    case 'order-expired': {
      const completedAt = formatDateTime(rejection.completedAtMicros);
      return new ApiError(rejection.code, {
        message: `The keys could be read for ${windowHours} hours after the order became complete at ${completedAt}. Ask your account manager.`,
        data: { completedAt, windowHours },
      });
    }
  }
}
