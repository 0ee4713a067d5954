/** R15, R23. */

import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import type { OrderRefund } from '@keyport/contract/orders/refunds';
import { formatMinor } from '@keyport/core/money';
import {
  type DeliveredKey,
  decideRefund,
  type OrderChange,
  type RefundedUnits,
} from '@keyport/core/orders/decide-change';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Acting } from '../../audit/action.ts';
import type { Tx } from '../../db/schema.ts';
import type { Written } from '../../operations/operation.ts';
import { listUnits } from '../keys/order-keys.sql.ts';
import { type LockedOrder, sumRecentRefunds } from './order-updates.sql.ts';
import { type WriteDeps, writeOrder } from './write-order.ts';

export type RefundCommand = Acting & {
  readonly orderId: string;
  readonly body: OrderRefund;
  readonly action?: 'order.return';
};

/** The balance gets the money, or a worker reports the refund to the payment provider. */
export async function refundOrder(
  tx: Tx,
  command: RefundCommand,
  deps: WriteDeps,
): Promise<Written<AdminOrder>> {
  const { body, action = 'order.refund' } = command;
  const lines = body.items?.map(({ id: itemId, quantity, keyIds }) => ({ itemId, quantity, keyIds }));
  // Must be read under the order's lock and before the refund.
  let earlierMinor = 0;
  const { effect, order, change, keyIds, ...written } = await writeOrder(
    tx,
    { ...command, reason: body.reason },
    {
      name: 'refund',
      action,
      async decide(locked) {
        earlierMinor = await sumRecentRefunds(tx, locked.id);
        return decideRefund(
          locked,
          { lines, units: computeUnits(body) },
          await listDeliveredKeys(tx, locked),
        );
      },
      auditData: (decided, moved) => ({
        amount: toAmount(decided) === 0 ? undefined : formatMinor(toAmount(decided)),
        items: body.items,
        units: UNITS_OF_REFUND.find((name) => moved.units[name] > 0),
        keyIds: moved.keyIds,
      }),
    },
    deps,
  );
  const { accountId, id: orderId } = order;
  const amountMinor = toAmount(change);
  return {
    ...written,
    effect: {
      preview: { ...effect.preview, keyIds },
      // A key replaced since the preview changes the refund.
      state: [...effect.state, keyIds],
      approval: { amountMinor, sumMinor: earlierMinor + amountMinor, accountId, orderId },
    },
  };
}

function toAmount({ transfers }: OrderChange): number {
  return transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

const UNITS_OF_REFUND = ['kept', 'returned', 'withdrawn'] as const;

/** Throws validation-error for errors that no schema can detect. */
export function checkRefund(body: OrderRefund): void {
  computeUnits(body);
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

function computeUnits({ returnToStock = false, withdrawKeys = false }: OrderRefund): RefundedUnits {
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
