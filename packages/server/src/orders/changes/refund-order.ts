/**
 * Refunds an order, whole or by items and keys: its quantities, the books, the stock, the audit log and the events, in one
 * transaction. R15, R23.
 */
import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import type { OrderRefund } from '@keyport/contract/orders/refunds';
import { eventsOfChange } from '@keyport/core/events';
import { formatMinor } from '@keyport/core/money';
import {
  type DeliveredKey,
  decideRefund,
  type OrderChange,
  type RefundedUnits,
} from '@keyport/core/orders/decide-change';
import { invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { Written } from '../../operations/operation.ts';
import { moneyEffect, NO_EFFECT } from '../../operations/write-effect.ts';
import { listUnits } from '../keys/sold-keys.sql.ts';
import { buildOrder } from '../order-response.ts';
import { bookChange, moveUnits } from './apply-change.ts';
import type { OrderChangeDeps } from './change-order.ts';
import { describeChangeRejection } from './change-rejections.ts';
import { loadOrder, showAdminOrder, stateOf, stockEffect } from './order-effect.ts';
import { type LockedOrder, lockOrder, sumRecentRefunds, updateOrder } from './order-updates.sql.ts';

export type RefundCommand = Acting & {
  readonly orderId: string;
  readonly body: OrderRefund;
  /** In the audit log. */
  readonly action?: 'order.return';
};

export async function refundOrder(
  tx: Tx,
  command: RefundCommand,
  { houseAccounts, onCatalogueChanged }: Pick<OrderChangeDeps, 'houseAccounts' | 'onCatalogueChanged'>,
): Promise<Written<AdminOrder>> {
  const { orderId, body, principal, action = 'order.refund' } = command;
  const { reason, items } = body;
  const order = requireFound(await lockOrder(tx, orderId), 'order');

  const lines = items?.map(({ id: itemId, quantity, keyIds }) => ({ itemId, quantity, keyIds }));
  const outcome = decideRefund(order, { lines, units: unitsOf(body) }, await listDeliveredKeys(tx, order));
  if (!outcome.ok) throw describeChangeRejection(outcome.rejection, 'refund');
  const change = outcome.value;
  const amountMinor = sumOf(change);
  const before = await loadOrder(tx, order.id);
  const earlierMinor = await sumRecentRefunds(tx, order.id);

  await updateOrder(tx, order, change, { actor: principal.clientId, reason });
  // The money returns to the balance, or a worker reports the refund to the payment provider.
  const balanceEvents = await bookChange(tx, order, change, houseAccounts);
  const { units, keyIds } = await moveUnits(tx, order, change.units);

  const data = {
    reason,
    amount: amountMinor === 0 ? undefined : formatMinor(amountMinor),
    items,
    units: UNITS_OF_REFUND.find((name) => units[name] > 0),
    keyIds,
  };
  const record = auditRecord(command, action, { accountId: order.accountId, data });
  await insertAudit(tx, { ...record, orderId });

  const after = await loadOrder(tx, order.id);
  const effect = {
    preview: {
      ...NO_EFFECT,
      ...moneyEffect(change.transfers, order.balanceMinor),
      order: { before: buildOrder(before), after: buildOrder(after) },
      units: { ...NO_EFFECT.units, ...units },
      keyIds,
      stock: await stockEffect(tx, order, units.returned),
    },
    // If a key was replaced since the preview, the refund takes other keys.
    state: [...stateOf(order), keyIds],
    approval: {
      amountMinor,
      sumMinor: earlierMinor + amountMinor,
      accountId: order.accountId,
      orderId: order.id,
    },
  };
  const productIds = units.returned > 0 ? order.productIds : [];
  await logChanges(tx, { productIds, events: [...eventsOfChange(order, change), ...balanceEvents] });
  return {
    status: 200,
    data: showAdminOrder(after),
    effect,
    ...(productIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
  };
}

const UNITS_OF_REFUND = ['kept', 'returned', 'withdrawn'] as const;

/** Throws invalid-request for what no schema finds. */
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
  if (returnToStock && withdrawKeys) {
    throw invalidField('body.withdrawKeys', 'cannot be combined with returnToStock; choose one');
  }
  if (withdrawKeys) return 'withdraw';
  return returnToStock ? 'return' : 'stay';
}

/** Read after the order was locked, so that every earlier read of its keys is recorded. */
async function listDeliveredKeys(tx: Tx, { id, status, items }: LockedOrder): Promise<DeliveredKey[]> {
  const [line] = items;
  if (status !== 'complete' || line === undefined) return [];
  return (await listUnits(tx, id)).map((unit) => ({ ...unit, itemId: line.id }));
}

function sumOf({ transfers }: OrderChange): number {
  return transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
