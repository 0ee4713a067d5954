/**
 * What a reseller does in the sandbox in the place of operators, of the payment provider and of time. All of it goes through
 * the ordinary code, and concerns the reseller's own account; offers are everybody's. A335, A336.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Account, AccountPatchBody } from '@keyport/contract/accounts/accounts';
import type { ChangedOffer, OfferChange } from '@keyport/contract/catalogue/offer-changes';
import { CURRENCY } from '@keyport/contract/formats';
import type { Order } from '@keyport/contract/orders/orders';
import type { SandboxAccountBody } from '@keyport/contract/sandbox/sandbox';
import { must } from '@keyport/core/assert';
import type { ItemState } from '@keyport/core/decide-change';
import { formatMinor, minorOf } from '@keyport/core/money';
import type { OrderStatus } from '@keyport/core/order-status';
import { ApiError, notFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord, changesBetween } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationRequest, SandboxHandlers, WriteWork } from '../operations/operation.ts';
import { isOrderOf, isOverdue, moveIntoPast } from './orders.sql.ts';
import { findRateLimits, upsertRateLimits } from './rate-limits.sql.ts';
import { settledReference } from './rehearsed-gateway.ts';

type Action<Name extends keyof SandboxHandlers> = (
  request: Pick<OperationRequest<Name>, 'params' | 'body' | 'traceId'> & {
    readonly principal: { readonly clientId: string };
  },
) => WriteWork<Order>;

/** What is read of a locked order. */
type LockedOrder = {
  readonly status: OrderStatus;
  readonly paymentMethod: string | null;
  readonly totalPriceMinor: number;
  readonly refundedMinor: number;
  readonly items: readonly ItemState[];
};

type ProviderVerdict =
  | { readonly status: 'paid'; readonly reference: string }
  | { readonly status: 'declined' };

export type SandboxOperationDeps = {
  readonly database: Database;
  /** What operators do. */
  readonly actions: {
    readonly hold: Action<'holdSandboxOrder'>;
    readonly release: Action<'releaseSandboxOrder'>;
    readonly cancel: Action<'cancelSandboxOrder'>;
    readonly refund: Action<'refundSandboxOrder'>;
  };
  readonly lockOrder: (tx: Tx, orderId: string) => Promise<LockedOrder | undefined>;
  readonly showOrder: (db: Db, orderId: string) => Promise<Order>;
  /** Settles the payment of a locked order by the provider's word. Returns whether the catalogue changed. */
  readonly settle: (tx: Tx, orderId: string, verdict: ProviderVerdict) => Promise<boolean>;
  /** Tells of the order if its keys are about to expire, or have, and were never read. The last step of its transaction. */
  readonly tellExpiring: (tx: Tx, orderId: string) => Promise<void>;
  /** Runs a round of the workers now. */
  readonly runWorkers: () => Promise<void>;
  readonly changeAccount: (
    tx: Tx,
    acting: Acting,
    accountId: string,
    body: AccountPatchBody,
    alsoChanged: Readonly<Record<string, unknown>>,
  ) => Promise<Account>;
  /** Books the change of a balance, EUR cents. */
  readonly adjust: (
    tx: Tx,
    acting: Acting,
    accountId: string,
    changeMinor: number,
    reference: string,
  ) => Promise<unknown>;
  readonly lockBalance: (
    tx: Tx,
    accountId: string,
  ) => Promise<{ readonly balanceMinor: number; readonly gatewayCustomer: string | null } | undefined>;
  /** Resolves when this node follows changes of accounts. */
  readonly readStates: () => Promise<void>;
  readonly changeOffer: (acting: Acting, change: OfferChange) => WriteWork<ChangedOffer>;
  readonly onCatalogueChanged: () => void;
};

type SandboxOperations = Omit<SandboxHandlers, 'getCheckup' | 'getClientCheckup'>;

/** The provider of the sandbox pays for this customer. */
const PAYING_CUSTOMER = 'sim_ok';

/** A round of the workers that had begun before does not see what was moved. */
const WORKER_ROUNDS = 3;

export function buildSandboxOperations(deps: SandboxOperationDeps): SandboxOperations {
  const { database, actions } = deps;
  return {
    holdSandboxOrder: (request) => onOwnOrder(request, actions.hold(request)),
    releaseSandboxOrder: (request) => onOwnOrder(request, actions.release(request)),
    cancelSandboxOrder: (request) => onOwnOrder(request, actions.cancel(request)),
    refundSandboxOrder: (request) => onOwnOrder(request, actions.refund(request)),
    settleSandboxOrder: (request) => onOwnOrder(request, settle(deps, request)),
    async advanceSandboxOrder(request) {
      const { params, body } = request;
      const move = onOwnOrder(request, async (tx) => {
        await deps.lockOrder(tx, params.orderId);
        await insertAudit(tx, auditOf(request, 'order.advance', { hours: body.hours }));
        if (!(await moveIntoPast(tx, params.orderId, body.hours)))
          throw new ApiError('conflict', { message: 'The order would be older than 1970. Place a new one.' });
        await deps.tellExpiring(tx, params.orderId);
        return { status: 200 };
      });
      await runTransaction(database, {}, move);
      for (let round = 0; round < WORKER_ROUNDS; round += 1) {
        await deps.runWorkers();
        if (!(await isOverdue(database.kysely, params.orderId))) break;
      }
      return { status: 200, data: await deps.showOrder(database.kysely, params.orderId) };
    },
    updateSandboxAccount: (request) => updateAccount(deps, request),
    updateSandboxOffer: (request) => {
      const { addKeys, ...change } = request.body;
      const keys = addKeys === undefined ? {} : { addKeys: inventKeys(addKeys) };
      return deps.changeOffer(request, { ...request.params, ...change, ...keys });
    },
  };
}

type OrderRequest = Acting & {
  readonly params: { readonly orderId: string };
  readonly principal: { readonly clientId: string; readonly accountId: string };
};

/** Another's order is like one that never was. */
function onOwnOrder<Data>({ params, principal }: OrderRequest, work: WriteWork<Data>): WriteWork<Data> {
  return async (tx) => {
    if (await isOrderOf(tx, params.orderId, principal.accountId)) return work(tx);
    throw notFound('order');
  };
}

function auditOf(
  request: OrderRequest,
  action: 'order.settle' | 'order.advance',
  data: Record<string, unknown>,
) {
  const { accountId } = request.principal;
  const { orderId } = request.params;
  return { ...auditRecord(request, action, { accountId, data }), orderId };
}

function settle(
  deps: SandboxOperationDeps,
  request: OperationRequest<'settleSandboxOrder'>,
): WriteWork<Order> {
  const { orderId } = request.params;
  const { outcome = 'paid', reason } = request.body;
  const verdict: ProviderVerdict =
    outcome === 'paid' ? { status: 'paid', reference: settledReference(orderId) } : { status: 'declined' };
  return async (tx) => {
    const order = must(await deps.lockOrder(tx, orderId), 'an own order');
    requireOpenPayment(order, outcome);
    await insertAudit(tx, auditOf(request, 'order.settle', { outcome, ...(reason && { reason }) }));
    const isCatalogueChanged = await deps.settle(tx, orderId, verdict);
    const data = await deps.showOrder(tx, orderId);
    return { status: 200, data, ...(isCatalogueChanged && { onCommitted: deps.onCatalogueChanged }) };
  };
}

/** Throws conflict. A provider may still say that it was paid after the order was given up: then it gets its money back. */
function requireOpenPayment(order: LockedOrder, outcome: 'paid' | 'declined'): void {
  const { status, paymentMethod, totalPriceMinor, refundedMinor, items } = order;
  const isPaid = refundedMinor > 0 || items.some(({ invoiced }) => invoiced > 0);
  const hasPayment = paymentMethod === 'gateway' && totalPriceMinor > 0;
  const isSettled = !hasPayment || isPaid || (outcome === 'declined' && status === 'canceled');
  if (!isSettled) return;
  throw new ApiError('conflict', {
    message: `The order is ${status} and waits for no payment. Create one with Keyport-Scenario: pending-payment.`,
    data: { status },
  });
}

function updateAccount(
  deps: SandboxOperationDeps,
  request: OperationRequest<'updateSandboxAccount'>,
): SandboxWork<'updateSandboxAccount'> {
  const { balance, ...settings } = request.body;
  const { accountId } = request.principal;
  return async (tx) => {
    const before = must(await deps.lockBalance(tx, accountId), 'the account of a token');
    const rateLimits = await changeRateLimits(tx, accountId, settings.limits);
    // First the settings: a balance that falls below its new threshold is told of.
    const account = await deps.changeAccount(
      tx,
      request,
      accountId,
      withCustomer(settings, before),
      rateLimits.changes,
    );
    const balanceMinor = balance === undefined ? before.balanceMinor : minorOf(balance);
    const changeMinor = balanceMinor - before.balanceMinor;
    if (changeMinor !== 0) {
      await deps.adjust(tx, request, accountId, changeMinor, `sandbox-${randomUUID()}`);
    }
    const limits = { ...account.limits, ...rateLimits.after };
    const data = { ...viewAccount({ ...account, balance: formatMinor(balanceMinor) }), limits };
    return { status: 200, data, onCommitted: deps.readStates };
  };
}

/** The account is locked. */
async function changeRateLimits(tx: Tx, accountId: string, limits: SandboxAccountBody['limits'] = {}) {
  const before = await findRateLimits(tx, accountId);
  const { readsPerSecondMax = before.readsPerSecondMax, ordersPerSecondMax = before.ordersPerSecondMax } =
    limits;
  const after = { readsPerSecondMax, ordersPerSecondMax };
  const changes = changesBetween(before, after, ['readsPerSecondMax', 'ordersPerSecondMax']);
  if (Object.keys(changes).length > 0) await upsertRateLimits(tx, accountId, after);
  return { after, changes };
}

type SandboxWork<Name extends keyof SandboxHandlers> = SandboxHandlers[Name] extends (
  ...request: never[]
) => infer Work
  ? Work
  : never;

/** An account that is to pay through the provider needs a customer there. */
function withCustomer(
  settings: Omit<SandboxAccountBody, 'balance'>,
  { gatewayCustomer }: { readonly gatewayCustomer: string | null },
): AccountPatchBody {
  const needsCustomer = settings.paymentMethod === 'gateway' && gatewayCustomer === null;
  return needsCustomer ? { ...settings, gatewayCustomer: PAYING_CUSTOMER } : settings;
}

function viewAccount({
  gatewayCustomer: _,
  holdOrders: __,
  sellerId: ___,
  createdAt: ____,
  ...shown
}: Account) {
  return { ...shown, currency: CURRENCY } as const;
}

function inventKeys(count: number) {
  return Array.from({ length: count }, () => ({
    code: `SANDBOX-${randomBytes(10).toString('hex').toUpperCase()}`,
  }));
}
