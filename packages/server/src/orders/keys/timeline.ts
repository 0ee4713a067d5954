import type { OrderTimeline } from '@keyport/contract/orders/orders';
import { must } from '@keyport/core/assert';
import { formatDateTime, MICROS_PER_HOUR } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { findAccount } from '../../accounts/accounts.sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { readOrder } from '../history/history.ts';
import { listRefunds, listStatusLog } from '../history/read-orders.sql.ts';
import type { OrderDeps } from '../order-deps.ts';
import { findKeysOrder, findKeysReadMicros } from './order-keys.sql.ts';

type Request = {
  readonly params: { readonly orderId: string };
  readonly principal: { readonly accountId: string };
};

/** Without the reasons and actors, which are the operators'. */
export async function readTimeline(
  { database, keysWindowHours }: Pick<OrderDeps, 'database' | 'keysWindowHours'>,
  { params: { orderId }, principal: { accountId } }: Request,
): Promise<OrderTimeline> {
  const { id } = await readOrder(database, orderId, accountId);
  return runTransaction(database, {}, async (tx) => {
    const log = await listStatusLog(tx, id);
    const refunds = await listRefunds(tx, id);
    const readAtMicros = await findKeysReadMicros(tx, id);
    const account = must(await findAccount(tx, accountId), 'the account of a token');
    const order = must(await findKeysOrder(tx, id, accountId), 'an order is never deleted');
    const { status, completedAtMicros, replacedAtMicros, isImageRefunded } = order;
    const isDelivered = status === 'complete' && !isImageRefunded;
    const until = (fromMicros: number | null, hours: number) =>
      !isDelivered || fromMicros === null || hours === 0
        ? null
        : formatDateTime(fromMicros + hours * MICROS_PER_HOUR);
    const openedAtMicros = completedAtMicros && Math.max(completedAtMicros, replacedAtMicros ?? 0);
    return {
      changes: log
        .filter((change) => change.from_status !== change.to_status)
        .map((change) => ({ at: formatDateTime(change.at), status: change.to_status })),
      refunds: refunds.map(({ at, amountMinor }) => ({
        at: formatDateTime(at),
        amount: formatMinor(amountMinor),
      })),
      keysReadAt: readAtMicros === null ? null : formatDateTime(readAtMicros),
      keysReadableUntil: until(openedAtMicros, keysWindowHours),
      returnableUntil: readAtMicros === null ? until(completedAtMicros, account.returnWindowHours) : null,
      claimableUntil: until(completedAtMicros, account.claimWindowHours),
    };
  });
}
