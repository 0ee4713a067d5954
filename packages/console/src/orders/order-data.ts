/** Reading one order. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';

export type OrderWithLog = OperatorAnswer<'getAnyOrder'>;

const FINAL: readonly OrderWithLog['status'][] = ['canceled', 'closed'];
const LIVE_MS = 5000;

/** Polled until its status is final. */
export function useOrder(orderId: string) {
  return useLive(
    ['order', orderId],
    (client, signal) => client.getAnyOrder({ params: { orderId } }, { signal }),
    {
      everyMs: (order) => (order !== undefined && isFinal(order) ? undefined : LIVE_MS),
    },
  );
}

function isFinal({ status }: OrderWithLog): boolean {
  return FINAL.includes(status);
}
