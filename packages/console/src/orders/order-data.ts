/** Reading one order. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';

export type OrderWithLog = OperatorAnswer<'getAnyOrder'>;
export type OrderKey = OperatorAnswer<'listOrderKeys'>[number];

const FINAL: readonly OrderWithLog['status'][] = ['canceled', 'closed'];
const LIVE_MS = 5000;

/** Polled until its status is final. */
export function useOrder(orderId: string) {
  return useLive(
    ['order', orderId],
    (client, signal) => client.getAnyOrder({ params: { orderId } }, { signal }),
    { everyMs: (order) => (order !== undefined && isFinal(order) ? undefined : LIVE_MS) },
  );
}

function isFinal({ status }: OrderWithLog): boolean {
  return FINAL.includes(status);
}

export function itemsOf({ transactions = [] }: Pick<OrderWithLog, 'transactions'>) {
  return transactions.flatMap(({ items }) => items);
}

/** Codes stay masked, so looking is no reveal. */
export function useOrderKeys(order: OrderWithLog | undefined) {
  const params = { orderId: order?.id ?? '' };
  // A change of the order can be one of its keys.
  return useLive(
    ['order-keys', order?.id, order?.status, order?.statusLog.length],
    (client, signal) => client.listOrderKeys({ params }, { signal }),
    { enabled: order !== undefined },
  );
}

export function useAccountOf(order: OrderWithLog | undefined) {
  const { accountId = '' } = order ?? {};
  return useLive(
    ['account', accountId],
    (client, signal) => client.getAccount({ params: { accountId } }, { signal }),
    { enabled: accountId !== '' },
  );
}

const OTHERS_MAX = 5;

/** The latest other orders of its account. */
export function useOtherOrders(order: OrderWithLog | undefined) {
  const { id, accountId } = order ?? {};
  const query = { accountId, limit: OTHERS_MAX + 1 };
  const result = useLive(['orders', query], (client, signal) => client.listAllOrders({ query }, { signal }), {
    enabled: order !== undefined,
  });
  // While those of another account are loading, those of the one before are still there.
  const others = result.data?.data.filter((other) => other.id !== id && other.accountId === accountId);
  return { ...result, data: others?.slice(0, OTHERS_MAX) };
}

export function useAuditOf(orderId: string | undefined) {
  return useLive(
    ['order-audit', orderId],
    (client, signal) => client.listAudit({ query: { orderId, itemsPerPage: 100 } }, { signal }),
    { enabled: orderId !== undefined },
  );
}
