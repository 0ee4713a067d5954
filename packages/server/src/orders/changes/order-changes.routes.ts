/** Shows, holds, releases, cancels and refunds orders for operators. */
import type { OrderRefund } from '@keyport/contract/orders/refunds';
import type { Acting } from '../../audit/action.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { readAnyOrder } from '../history/read-any-order.ts';
import { changeOrder, type OrderChangeDeps } from './change-order.ts';
import { checkRefund, refundOrder } from './refund-order.ts';
import { type ReturnDeps, returnItems } from './return-items.ts';

type OrderRequest<Body = { readonly reason: string }> = Acting & {
  readonly params: { readonly orderId: string };
  readonly body: Body;
};

/** The changes that operators and the sandbox share. */
export function createOrderActions(deps: OrderChangeDeps) {
  const change = (name: Parameters<typeof changeOrder>[1]) => (request: OrderRequest) => (tx: Tx) =>
    changeOrder(tx, name, { ...request, ...request.params, ...request.body }, deps);
  return {
    hold: change('hold'),
    release: change('release'),
    cancel: change('cancel'),
    refund(request: OrderRequest<OrderRefund>) {
      checkRefund(request.body);
      return (tx: Tx) => refundOrder(tx, { ...request, ...request.params }, deps);
    },
  };
}

export function buildOrderChangeHandlers(
  { database, ...deps }: OrderChangeDeps & ReturnDeps & { readonly database: Database },
  { hold, release, cancel, refund } = createOrderActions(deps),
): Pick<
  OperationHandlers,
  'getAnyOrder' | 'holdOrder' | 'releaseOrder' | 'cancelOrder' | 'refundOrder' | 'returnOrder'
> {
  return {
    getAnyOrder: async ({ params }) => ({ status: 200, data: await readAnyOrder(database, params.orderId) }),
    holdOrder: hold,
    releaseOrder: release,
    cancelOrder: cancel,
    refundOrder: refund,
    returnOrder: (request) => (tx) => returnItems(tx, request, deps),
  };
}
