/** Views and previews that changes of orders share. A440, A441. */
import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import { must } from '@keyport/core/assert';
import type { Tx } from '../../db/schema.ts';
import { type AccountOrderView, findOrder } from '../history/read-orders.sql.ts';
import { buildOrder } from '../order-response.ts';
import { countOnSale, type LockedOrder } from './order-updates.sql.ts';

export async function loadOrder(tx: Tx, orderId: string): Promise<AccountOrderView> {
  return must(await findOrder(tx, orderId, undefined), `the order ${orderId}`);
}

export function showAdminOrder(order: AccountOrderView): AdminOrder {
  return { ...buildOrder(order), accountId: order.accountId };
}

/** `gained`: the units that its offer gained or lost. */
export async function stockEffect(tx: Tx, { id, items }: LockedOrder, gained: number) {
  const [line] = items;
  if (gained === 0 || line === undefined) return [];
  const after = await countOnSale(tx, id);
  return [{ offerId: line.offerId, before: after - gained, after }];
}

/** Not the balance: other orders move it all the time, and it does not change what is booked. */
export function stateOf({ id, status, heldFrom, refundedMinor, items }: LockedOrder): unknown[] {
  const quantities = items.map(({ invoiced, shipped, refunded }) => [invoiced, shipped, refunded]);
  return ['order', id, status, heldFrom, refundedMinor, quantities];
}
