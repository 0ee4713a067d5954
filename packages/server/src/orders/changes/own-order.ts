import { must } from '@keyport/core/assert';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import type { AfterSaleClock } from '@keyport/core/orders/after-sale';
import type { IncompleteOrder } from '@keyport/core/orders/order-keys';
import { ApiError } from '@keyport/http/replies/api-error';
import { findAccount } from '../../accounts/accounts.sql.ts';
import type { Acting } from '../../audit/action.ts';
import type { Tx } from '../../db/schema.ts';
import { findOrder } from '../history/read-orders.sql.ts';
import { findKeysOrder } from '../keys/order-keys.sql.ts';
import { describeIncomplete } from '../keys/read-keys.ts';
import { type LockedOrder, lockOrder } from './order-updates.sql.ts';

export type OwnOrderRequest<Body> = Acting & {
  readonly principal: { readonly accountId: string };
  readonly params: { readonly orderId: string };
  readonly body: Body;
};

export type OwnOrder = LockedOrder & {
  readonly completedAtMicros: number | null;
  readonly windowHours: number;
  readonly clock: AfterSaleClock;
};

/** Throws order-not-found, even for another account's order (A45). */
export async function lockOwnOrder(
  tx: Tx,
  { params: { orderId }, principal: { accountId } }: Omit<OwnOrderRequest<unknown>, 'body'>,
  window: 'returnWindowHours' | 'claimWindowHours',
): Promise<OwnOrder> {
  // First without a lock, so that no reseller locks other accounts' orders.
  if ((await findOrder(tx, orderId, accountId)) === undefined) throw new ApiError('order-not-found');
  const order = must(await lockOrder(tx, orderId), 'an order is never deleted');
  const windowHours = must(await findAccount(tx, accountId), 'the account of a token')[window];
  const times = must(await findKeysOrder(tx, orderId, accountId), 'the locked order');
  const clock = { nowMicros: times.nowMicros, windowMicros: windowHours * MICROS_PER_HOUR };
  return { ...order, completedAtMicros: times.completedAtMicros, windowHours, clock };
}

export const describeUndelivered = (rejection: IncompleteOrder): ApiError =>
  describeIncomplete(rejection, 'Only units of a complete order can be returned or claimed.');
