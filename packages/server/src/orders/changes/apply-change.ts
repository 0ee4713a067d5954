import { assert } from '@keyport/core/assert';
import { eventsOfChange, type NewEvent } from '@keyport/core/events';
import type { OrderChange, UnitEffect } from '@keyport/core/orders/decide-change';
import type { Changes } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { HouseAccounts } from '../../ledger/house-accounts.sql.ts';
import { bookTransfers } from '../../ledger/transfers.sql.ts';
import type { NO_EFFECT } from '../../operations/write-effect.ts';
import { insertGatewayRefund, restartGatewayPayment } from '../payments/payments.sql.ts';
import * as sql from './order-updates.sql.ts';

type MovedUnits = Omit<(typeof NO_EFFECT)['units'], 'added'>;

/** `keyIds`: the units that left the order or were refunded. */
export type Moved = { readonly units: MovedUnits; readonly keyIds: readonly string[] };

const NO_UNITS: MovedUnits = { returned: 0, withdrawn: 0, kept: 0, delivered: 0 };

/** Nothing else changes an order. The caller logs the returned changes last. */
export async function applyChange(
  tx: Tx,
  order: sql.LockedOrder,
  change: OrderChange,
  context: { readonly houseAccounts: HouseAccounts; readonly actor: string; readonly reason: string },
): Promise<Required<Changes> & Moved> {
  await sql.updateOrder(tx, order, change, context);
  const ofBalance = await bookChange(tx, order, change, context.houseAccounts);
  const isCanceled = change.status === 'canceled' && order.status !== 'canceled';
  if (isCanceled || change.isImageRefunded) await sql.returnDailyUse(tx, [order.id]);
  if (change.units.kind === 'reserve' && change.units.expires) await restartGatewayPayment(tx, order.id);
  const moved = await moveUnits(tx, order, change.units);
  return {
    ...moved,
    productIds: moved.units.returned > 0 ? order.productIds : [],
    events: [...eventsOfChange(order, change), ...ofBalance],
  };
}

/** Returns the events of the balance. */
async function bookChange(
  tx: Tx,
  order: sql.LockedOrder,
  change: OrderChange,
  houseAccounts: HouseAccounts,
): Promise<NewEvent[]> {
  const about = { orderId: order.id };
  const events = await bookTransfers(tx, order.accountId, change.transfers, houseAccounts, about);
  for (const { to, amountMinor } of change.transfers) {
    if (to === 'gateway')
      await insertGatewayRefund(tx, { orderId: order.id, amountMinor, currency: 'EUR', isBooked: true });
  }
  return events;
}

async function moveUnits(tx: Tx, order: sql.LockedOrder, effect: UnitEffect): Promise<Moved> {
  const unitCount = order.items.reduce((sum, item) => sum + item.ordered, 0);
  const moved = (units: Partial<MovedUnits>) => ({ units: { ...NO_UNITS, ...units }, keyIds: [] });
  const taken = (where: 'kept' | 'returned' | 'withdrawn', ids: readonly number[]) => ({
    ...moved({ [where]: ids.length }),
    keyIds: ids.map(String),
  });
  switch (effect.kind) {
    case 'none':
    case 'reserve':
      return moved({});
    case 'deliver': {
      const delivered = await sql.countUnits(tx, order.id);
      assert(delivered === unitCount, `${unitCount} units were ordered and ${delivered} are delivered`);
      return moved({ delivered });
    }
    case 'release':
      return taken('returned', await sql.dropUnits(tx, [order.id], 'sale'));
    case 'withdraw':
      return taken('withdrawn', await sql.dropUnits(tx, [order.id], 'withdrawn'));
    case 'take-back':
      await sql.takeBackUnits(tx, order.id, effect.keyIds, effect.units);
      return taken(TAKEN_BACK[effect.units], effect.keyIds);
  }
}

const TAKEN_BACK = { stay: 'kept', return: 'returned', withdraw: 'withdrawn' } as const;
