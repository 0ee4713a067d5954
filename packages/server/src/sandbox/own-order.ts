import type { Order } from '@keyport/contract/orders/orders';
import { notFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord } from '../audit/action.ts';
import type { AuditRecord } from '../audit/append-audit.sql.ts';
import type { Db } from '../db/schema.ts';
import type { WriteWork } from '../operations/operation.ts';
import { isOrderOf } from './orders.sql.ts';

export type OrderRequest = Acting & {
  readonly params: { readonly orderId: string };
  readonly principal: { readonly clientId: string; readonly accountId: string };
};

export type ShowOrder = (db: Db, orderId: string) => Promise<Order>;

/** Throws not-found for another account's order. */
export function onOwnOrder<Data>(
  { params, principal }: OrderRequest,
  work: WriteWork<Data>,
): WriteWork<Data> {
  return async (tx) => {
    if (await isOrderOf(tx, params.orderId, principal.accountId)) return work(tx);
    throw notFound('order');
  };
}

export function orderAudit(
  request: OrderRequest,
  action: 'order.settle' | 'order.advance',
  data: Record<string, unknown>,
): AuditRecord {
  const { accountId } = request.principal;
  return { ...auditRecord(request, action, { accountId, data }), orderId: request.params.orderId };
}
