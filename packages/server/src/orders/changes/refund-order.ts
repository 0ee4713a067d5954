/** One transaction: quantities, books, stock, audit log, events. R15, R23. */

import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import type { OrderRefund } from '@keyport/contract/orders/refunds';
import { formatMinor } from '@keyport/core/money';
import { type DeliveredKey, decideRefund, type RefundedUnits } from '@keyport/core/orders/decide-change';
import { invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { Written } from '../../operations/operation.ts';
import { moneyEffect } from '../../operations/write-effect.ts';
import { listUnits } from '../keys/order-keys.sql.ts';
import type { OrderDeps } from '../order-deps.ts';
import { applyChange } from './apply-change.ts';
import { describeChangeRejection } from './change-rejections.ts';
import { loadOrder, previewChange, showAdminOrder, stateOf } from './order-effect.ts';
import { type LockedOrder, lockOrder, sumRecentRefunds } from './order-updates.sql.ts';

export type RefundCommand = Acting & {
  readonly orderId: string;
  readonly body: OrderRefund;
  readonly action?: 'order.return';
};

export async function refundOrder(
  tx: Tx,
  command: RefundCommand,
  { houseAccounts, onCatalogueChanged }: Pick<OrderDeps, 'houseAccounts' | 'onCatalogueChanged'>,
): Promise<Written<AdminOrder>> {
  const { orderId, body, principal, action = 'order.refund' } = command;
  const { reason, items } = body;
  const order = requireFound(await lockOrder(tx, orderId), 'order');

  const lines = items?.map(({ id: itemId, quantity, keyIds }) => ({ itemId, quantity, keyIds }));
  const outcome = decideRefund(order, { lines, units: unitsOf(body) }, await listDeliveredKeys(tx, order));
  if (!outcome.ok) throw describeChangeRejection(outcome.rejection, 'refund');
  const change = outcome.value;
  const amountMinor = change.transfers.reduce((sum, transfer) => sum + transfer.amountMinor, 0);
  const before = await loadOrder(tx, order.id);
  const earlierMinor = await sumRecentRefunds(tx, order.id);

  const context = { houseAccounts, actor: principal.clientId, reason };
  // The balance gets the money, or a worker reports the refund to the payment provider.
  const { units, keyIds, ...changes } = await applyChange(tx, order, change, context);

  const data = {
    reason,
    amount: amountMinor === 0 ? undefined : formatMinor(amountMinor),
    items,
    units: UNITS_OF_REFUND.find((name) => units[name] > 0),
    keyIds,
  };
  await audit(tx, command, action, { accountId: order.accountId, orderId, data });

  const { after, preview } = await previewChange(tx, order, { before, units, gained: units.returned });
  const effect = {
    preview: { ...preview, ...moneyEffect(change.transfers, order.balanceMinor), keyIds },
    // A key replaced since the preview changes the refund.
    state: [...stateOf(order), keyIds],
    approval: {
      amountMinor,
      sumMinor: earlierMinor + amountMinor,
      accountId: order.accountId,
      orderId: order.id,
    },
  };
  await logChanges(tx, changes);
  return {
    status: 200,
    data: showAdminOrder(after),
    effect,
    ...(changes.productIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
  };
}

const UNITS_OF_REFUND = ['kept', 'returned', 'withdrawn'] as const;

/** Throws validation-error for errors that no schema can detect. */
export function checkRefund(body: OrderRefund): void {
  unitsOf(body);
  const named = new Set<string>();
  for (const [index, { quantity, keyIds = [] }] of (body.items ?? []).entries()) {
    const field = `body.items[${index}].keyIds`;
    for (const keyId of keyIds) {
      if (named.has(keyId)) throw invalidField(field, `names the key ${keyId} twice`);
      named.add(keyId);
    }
    if (keyIds.length > 0 && keyIds.length !== quantity)
      throw invalidField(field, `must name as many keys as the quantity, which is ${quantity}`);
  }
}

function unitsOf({ returnToStock = false, withdrawKeys = false }: OrderRefund): RefundedUnits {
  if (returnToStock && withdrawKeys)
    throw invalidField('body.withdrawKeys', 'cannot be combined with returnToStock; choose one');
  if (withdrawKeys) return 'withdraw';
  return returnToStock ? 'return' : 'stay';
}

/** The order must be locked, so that every earlier read of its keys is recorded. */
async function listDeliveredKeys(tx: Tx, { id, status, items }: LockedOrder): Promise<DeliveredKey[]> {
  const [line] = items;
  if (status !== 'complete' || line === undefined) return [];
  return (await listUnits(tx, id)).map((unit) => ({ ...unit, itemId: line.id }));
}
