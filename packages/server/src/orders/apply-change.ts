/**
 * Carries out a change of an order that the core decided: quantities, units, books, status log and stamps in one
 * transaction. Used by payment settlement, by operators and by the workers; nothing else moves an order.
 */
import { assert } from '@keyport/core/assert';
import type { OrderChange, UnitEffect } from '@keyport/core/decide-change';
import { eventsOfChange, type NewEvent } from '@keyport/core/events';
import type { Changes } from '../db/catalogue-clock.sql.ts';
import type { HouseAccounts } from '../db/house-accounts.sql.ts';
import type { Tx } from '../db/schema.ts';
import { bookTransfers } from '../db/transfers.sql.ts';
import {
  countUnits,
  dropUnits,
  giveBackDailyUse,
  type LockedOrder,
  takeBackUnits,
  updateOrder,
} from './order-updates.sql.ts';
import { insertGatewayRefund, restartGatewayPayment } from './payments.sql.ts';

/** Writes the change, and returns what the caller logs as the last step of the transaction. */
export async function applyChange(
  tx: Tx,
  order: LockedOrder,
  change: OrderChange,
  context: { readonly houseAccounts: HouseAccounts; readonly actor: string; readonly reason: string },
): Promise<Required<Changes>> {
  await updateOrder(tx, order, change, context);
  const ofBalance = await book(tx, order, change, context.houseAccounts);
  const isCanceled = change.status === 'canceled' && order.status !== 'canceled';
  if (isCanceled || change.isImageRefunded) await giveBackDailyUse(tx, [order.id]);
  if (change.units.kind === 'reserve' && change.units.expires) await restartGatewayPayment(tx, order.id);
  const isRestocked = await moveUnitsOf(tx, order, change.units);
  return {
    productIds: isRestocked ? order.productIds : [],
    events: [...eventsOfChange(order, change), ...ofBalance],
  };
}

/** Returns what happened to the balance. */
async function book(
  tx: Tx,
  order: LockedOrder,
  change: OrderChange,
  houseAccounts: HouseAccounts,
): Promise<NewEvent[]> {
  const events = await bookTransfers(tx, order.accountId, change.transfers, houseAccounts, {
    orderId: order.id,
  });
  for (const { to, amountMinor } of change.transfers) {
    if (to === 'gateway')
      await insertGatewayRefund(tx, { orderId: order.id, amountMinor, currency: 'EUR', isBooked: true });
  }
  return events;
}

/** Returns whether units went back on sale. */
async function moveUnitsOf(tx: Tx, order: LockedOrder, effect: UnitEffect): Promise<boolean> {
  const unitCount = order.items.reduce((sum, item) => sum + item.ordered, 0);
  switch (effect.kind) {
    case 'none':
      return false;
    case 'deliver': {
      const delivered = await countUnits(tx, order.id);
      assert(delivered === unitCount, `${unitCount} units were ordered and ${delivered} are delivered`);
      return false;
    }
    case 'reserve':
      return false;
    case 'release':
    case 'withdraw':
      await dropUnits(tx, [order.id], effect.kind === 'release' ? 'sale' : 'withdrawn');
      return effect.kind === 'release' && order.hasUnits;
    case 'take-back': {
      const wanted = effect.lines.reduce((sum, line) => sum + line.quantity, 0);
      const taken = await takeBackUnits(tx, order.id, wanted, effect.units);
      assert(taken === wanted, `${wanted} units were refunded and ${taken} were found`);
      return effect.units === 'return';
    }
  }
}
