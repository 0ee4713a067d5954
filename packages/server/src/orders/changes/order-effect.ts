import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import { must } from '@keyport/core/assert';
import type { Tx } from '../../db/schema.ts';
import { NO_EFFECT } from '../../operations/write-effect.ts';
import { type AccountOrderView, findOrder } from '../history/read-orders.sql.ts';
import { buildOrder } from '../order-response.ts';
import { countOnSale, type LockedOrder } from './order-updates.sql.ts';

type Units = (typeof NO_EFFECT)['units'];

export async function loadOrder(tx: Tx, orderId: string): Promise<AccountOrderView> {
  return must(await findOrder(tx, orderId, undefined), `the order ${orderId}`);
}

export function showAdminOrder(order: AccountOrderView): AdminOrder {
  return { ...buildOrder(order), accountId: order.accountId };
}

/** `gained`: units of the offer; negative if it lost some. */
async function stockEffect(tx: Tx, { id, items }: LockedOrder, gained: number) {
  const [line] = items;
  if (gained === 0 || line === undefined) return [];
  const after = await countOnSale(tx, id);
  return [{ offerId: line.offerId, before: after - gained, after }];
}

/** Previews the changes to the order, its units and its offer's stock. */
export async function previewChange(
  tx: Tx,
  order: LockedOrder,
  change: { readonly before: AccountOrderView; readonly units: Partial<Units>; readonly gained: number },
) {
  const after = await loadOrder(tx, order.id);
  const preview = {
    ...NO_EFFECT,
    order: { before: buildOrder(change.before), after: buildOrder(after) },
    units: { ...NO_EFFECT.units, ...change.units },
    stock: await stockEffect(tx, order, change.gained),
  };
  return { after, preview };
}

/** Excludes the balance, which other orders change constantly. */
export function toState({ id, status, heldFrom, refundedMinor, items }: LockedOrder): unknown[] {
  const quantities = items.map(({ invoiced, shipped, refunded }) => [invoiced, shipped, refunded]);
  return ['order', id, status, heldFrom, refundedMinor, quantities];
}
