import { notFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import type { WriteWork } from '../operations/operation.ts';
import { isOrderOf } from './orders.sql.ts';

export type OrderRequest = Acting & {
  readonly params: { readonly orderId: string };
  readonly principal: { readonly clientId: string; readonly accountId: string };
};

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

export function auditOrder(
  tx: Tx,
  request: OrderRequest,
  action: 'order.settle' | 'order.advance',
  data: Record<string, unknown>,
): Promise<void> {
  const { principal, params } = request;
  return audit(tx, request, action, { accountId: principal.accountId, orderId: params.orderId, data });
}
