import { formatMinor } from '@keyport/core/money';
import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { useRead } from '../api/queries.ts';
import { formatMoney } from '../texts.ts';

export type OrderWithLog = OperatorAnswer<'getAnyOrder'>;
export type OrderKey = OperatorAnswer<'listOrderKeys'>[number];

const FINAL: readonly (OrderWithLog['status'] | undefined)[] = ['canceled', 'closed'];

/** Polled until its status is final. */
export function useOrder(orderId: string) {
  const everyMs = (order?: OrderWithLog) => (FINAL.includes(order?.status) ? undefined : 5000);
  return useRead('getAnyOrder', { params: { orderId } }, { everyMs });
}

export function toItems({ transactions = [] }: Pick<OrderWithLog, 'transactions'>) {
  return transactions.flatMap(({ items }) => items);
}

/** Codes stay masked, so this does not reveal any. */
export function useOrderKeys(order: OrderWithLog | undefined) {
  const input = { params: { orderId: order?.id ?? '' } };
  // A change to the order may have changed its keys.
  const version = [order?.status, order?.statusLog.length];
  return useRead('listOrderKeys', input, { version, enabled: order !== undefined });
}

export function useAccountOf(order: OrderWithLog | undefined) {
  const { accountId = '', status, refunds } = order ?? {};
  // A charge or a refund changes the balance, also if another operator makes it.
  const version = [status, refunds?.length];
  return useRead('getAccount', { params: { accountId } }, { version, enabled: accountId !== '' });
}

const OTHERS_MAX = 5;

/** The latest other orders of its account. */
export function useOtherOrders(order: OrderWithLog | undefined) {
  const { id, accountId } = order ?? {};
  const query = { accountId, limit: OTHERS_MAX + 1 };
  const result = useRead('listAllOrders', { query }, { enabled: order !== undefined });
  // While another account is loading, the data is still that of the previous one.
  const others = result.data?.data.filter((other) => other.id !== id && other.accountId === accountId);
  return { ...result, data: others?.slice(0, OTHERS_MAX) };
}

export function useAuditOf(orderId: string | undefined) {
  const query = { orderId, itemsPerPage: 100 } as const;
  return useRead('listAudit', { query }, { enabled: orderId !== undefined });
}

/** The exact sum; all amounts have the same currency. */
export function computeSum(amounts: readonly string[]): string {
  const fractions = amounts.map((amount) => amount.split('.')[1] ?? '');
  const decimals = Math.max(2, ...fractions.map(({ length }) => length));
  const minor = (amount: string, place: number) =>
    BigInt(amount.replace('.', '') + '0'.repeat(decimals - (fractions[place] ?? '').length));
  return formatMinor(
    amounts.reduce((sum, amount, place) => sum + minor(amount, place), 0n),
    decimals,
  );
}

/** One sum per currency. */
export function computeSums(orders: readonly Pick<OrderWithLog, 'currency' | 'totalPrice'>[]): string {
  const sums = Array.from(
    Map.groupBy(orders, ({ currency }) => currency),
    ([currency, some]) => formatMoney(computeSum(some.map(({ totalPrice }) => totalPrice)), currency),
  );
  return sums.join(' + ');
}

export function computeUnits(order: Parameters<typeof toItems>[0]): number {
  return toItems(order).reduce((sum, { quantity }) => sum + quantity.ordered, 0);
}

export type Order = Pick<OrderWithLog, 'status' | 'transactions' | 'imported'>;

export const isPaid = (order: Order) => toItems(order).some(({ quantity }) => quantity.invoiced > 0);

export function isPossible(name: 'release' | 'refund' | 'hold' | 'cancel', order: Order): boolean {
  const { status, imported } = order;
  if (imported) return false;
  const is = (...statuses: OrderWithLog['status'][]) => statuses.includes(status);
  return {
    hold: is('pending', 'pending_payment', 'processing'),
    release: is('held'),
    cancel: is('pending', 'pending_payment') || (is('held') && !isPaid(order)),
    refund: is('processing', 'complete') || (is('held') && isPaid(order)),
  }[name];
}
