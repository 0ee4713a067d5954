import type { OrderRefund } from '@keyport/contract/orders/refunds';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Acting } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import { type OperationHandlers, replyOk } from '../operations/operation.ts';
import { checkRefund, refundOrder } from './changes/refund-order.ts';
import { returnItems } from './changes/return-items.ts';
import { changeOrder, type WriteDeps } from './changes/write-order.ts';
import { createClaim, withdrawClaim } from './claims/create-claim.ts';
import { decideClaim } from './claims/decide-claim.ts';
import {
  listAllClaims,
  listOwnClaims,
  readAnyClaim,
  readClaim,
  readClaimsRate,
} from './claims/read-claims.ts';
import { readHistory, readOrder } from './history/history.ts';
import { listAllOrders } from './history/list-all-orders.ts';
import { listRejections } from './history/list-rejections.ts';
import { readAnyOrder } from './history/read-any-order.ts';
import { findKey, findNamed, listOrderKeys } from './keys/find-key.ts';
import { readKeys } from './keys/read-keys.ts';
import { replaceKey } from './keys/replace-key.ts';
import { readTimeline } from './keys/timeline.ts';
import type { OrderDeps } from './order-deps.ts';
import { buildOrder } from './order-response.ts';
import { listPayments, retryPayment } from './payments/retry-payment.ts';

type OrderRequest<Body = { readonly reason: string }> = Acting & {
  readonly params: { readonly orderId: string };
  readonly body: Body;
};

/** The changes that operators and the sandbox share. */
export function createOrderActions(deps: WriteDeps) {
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

/** `settleNow`: undefined without a payment provider. */
export function buildOrderHandlers(
  deps: OrderDeps & { readonly settleNow: (() => void) | undefined },
  { hold, release, cancel, refund }: ReturnType<typeof createOrderActions>,
) {
  const { database, settleNow } = deps;
  return {
    listOrders: async ({ query, principal }) => {
      const { accountId } = principal;
      const named = query.query === undefined ? {} : await findNamed(deps, accountId, query.query);
      const { orders, meta } = await readHistory(database, { ...query, ...named }, accountId);
      return { status: 200, data: orders.map(buildOrder), meta };
    },
    getOrder: async ({ params, principal }) => {
      const order = await readOrder(database, params.orderId, principal.accountId);
      return { status: 200, data: buildOrder(order) };
    },
    getOrderTimeline: (request) => replyOk(readTimeline(deps, request)),
    getOrderKeys: async ({ params, principal, traceId }) => {
      const data = await readKeys(deps, { orderId: params.orderId, ...principal, traceId });
      return { status: 200, data, headers: { 'cache-control': 'no-store' } };
    },
    listAllOrders: (request) => listAllOrders(database, request),
    listRejections: ({ query }) => listRejections(database, query),
    getAnyOrder: ({ params }) => replyOk(readAnyOrder(database, params.orderId)),
    holdOrder: hold,
    releaseOrder: release,
    cancelOrder: cancel,
    refundOrder: refund,
    returnOrder: (request) => (tx) => returnItems(tx, request, deps),
    listOrderKeys: ({ params }) => replyOk(listOrderKeys(deps, params.orderId)),
    replaceKey(request) {
      const { keyId, code } = request.body;
      if (keyId !== undefined && code !== undefined)
        throw invalidField('body.code', 'cannot be combined with keyId; send only one of them');
      return (tx) => replaceKey(tx, { ...request, ...request.params }, deps);
    },
    findKey: (request) => replyOk(findKey(deps, request)),
    createClaim: (request) => createClaim(request, deps),
    listClaims: (request) => listOwnClaims(deps, request),
    getClaim: (request) => replyOk(readClaim(deps, request)),
    withdrawClaim: (request) => (tx) => withdrawClaim(tx, request, deps),
    listAllClaims: (request) => listAllClaims(deps, request),
    getAnyClaim: ({ params }) => replyOk(readAnyClaim(deps, params.claimId)),
    decideClaim: (request) => (tx) => decideClaim(tx, request, deps),
    getClaimsRate: (request) => replyOk(readClaimsRate(deps, request)),
    listPayments: ({ query }) => listPayments(database, query),
    retryPayment: (request) => (tx) => retryPayment(tx, { ...request, ...request.params }, settleNow),
  } satisfies Partial<OperationHandlers>;
}
