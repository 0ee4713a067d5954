/** What operators do with orders: look, hold, release, cancel, refund (R12 to R15, R23). */
import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import type { OrderRefund } from '@keyport/contract/orders/refunds';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import {
  type ChangeOutcome,
  type ChangeRejection,
  type DeliveredKey,
  decideCancel,
  decideHold,
  decideRefund,
  decideRelease,
  type OrderChange,
  type OrderState,
  type RefundedUnits,
} from '@keyport/core/decide-change';
import { formatMinor } from '@keyport/core/money';
import { type ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import type { HouseAccounts } from '../../ledger/house-accounts.sql.ts';
import type { OperationHandlers, WriteEffect, WriteWork } from '../../operations/operation.ts';
import { moneyEffect, NO_EFFECT } from '../../operations/write-effect.ts';
import {
  type AccountOrderView,
  findOrder,
  listOrderNotes,
  listRefunds,
  listStatusLog,
  type OrderNote,
  type StatusChangeRow,
} from '../history/read-orders.sql.ts';
import { listUnits } from '../keys/sold-keys.sql.ts';
import { buildOrder } from '../order-response.ts';
import { buildUnpaidResponse } from '../payments/settlement.ts';
import { applyChange, type MovedUnits } from './apply-change.ts';
import { loadOrder, stateOf, stockEffect } from './order-effect.ts';
import { finishRecord, type LockedOrder, lockOrder, sumRecentRefunds } from './order-updates.sql.ts';

export type OrderActionDeps = {
  readonly database: Database;
  readonly houseAccounts: HouseAccounts;
  readonly onCatalogueChanged: () => void;
  /** Base of doc_url in the stored response of a canceled order. */
  readonly publicUrl: () => string;
};

type OrderActionHandlers = Pick<
  OperationHandlers,
  'getAnyOrder' | 'holdOrder' | 'releaseOrder' | 'cancelOrder' | 'refundOrder'
>;

type Action = {
  readonly orderId: string;
  readonly name: 'hold' | 'release' | 'cancel' | 'refund';
  readonly reason: string;
  readonly acting: Acting;
  readonly data?: Record<string, unknown>;
  /** `keys`: those of a delivered order that is refunded. */
  readonly decide: (order: OrderState, keys: readonly DeliveredKey[]) => ChangeOutcome;
};

const ALLOWED: Readonly<Record<Action['name'], string>> = {
  hold: 'Only a pending, pending_payment or processing order can be held.',
  release: 'Only a held order can be released.',
  cancel: 'Only an unpaid order that is not canceled yet can be canceled.',
  refund: 'Only a paid order that is not closed yet can be refunded.',
};

const UNITS_OF_REFUND = ['kept', 'returned', 'withdrawn'] as const;

/** The parts of a request that an action needs. */
type ActionRequest<Body = { readonly reason: string }> = Acting & {
  readonly params: { readonly orderId: string };
  readonly body: Body;
};

/** What operators and the sandbox alike may do to an order. */
export function createOrderActions(deps: OrderActionDeps) {
  const simple =
    (name: Action['name'], decide: Action['decide']) =>
    (request: ActionRequest): WriteWork<AdminOrder> =>
      act(deps, {
        orderId: request.params.orderId,
        name,
        reason: request.body.reason,
        acting: request,
        decide,
      });
  return {
    hold: simple('hold', decideHold),
    release: simple('release', decideRelease),
    cancel: simple('cancel', decideCancel),
    refund({ params, body, ...acting }: ActionRequest<OrderRefund>): WriteWork<AdminOrder> {
      const { items } = body;
      requireEachKeyOnce(items ?? []);
      const lines = items?.map(({ id: itemId, quantity, keyIds }) => ({ itemId, quantity, keyIds }));
      const units = chosenUnits(body);
      return act(deps, {
        orderId: params.orderId,
        name: 'refund',
        reason: body.reason,
        acting,
        data: items === undefined ? {} : { items },
        decide: (order, keys) => decideRefund(order, { lines, units }, keys),
      });
    },
  };
}

export function buildOrderActionHandlers(
  deps: OrderActionDeps,
  { hold, release, cancel, refund } = createOrderActions(deps),
): OrderActionHandlers {
  const { database } = deps;
  return {
    getAnyOrder: async ({ params }) => {
      const order = requireFound(await findOrder(database.kysely, params.orderId, undefined), 'order');
      const log = await listStatusLog(database.kysely, params.orderId);
      const notes = await listOrderNotes(database.kysely, [order.id]);
      const refunds = await listRefunds(database.kysely, order.id);
      const listed = { ...buildAdminOrder(order), ...noteOf(notes, order.id) };
      const data = {
        ...listed,
        statusLog: log.flatMap(buildStatusChanges),
        refunds: refunds.map(({ at, amountMinor }) => ({
          at: formatDateTime(at),
          amount: formatMinor(amountMinor),
        })),
      };
      return { status: 200, data };
    },
    holdOrder: hold,
    releaseOrder: release,
    cancelOrder: cancel,
    refundOrder: refund,
  };
}

function requireEachKeyOnce(items: NonNullable<OrderRefund['items']>): void {
  const named = new Set<string>();
  for (const [index, { quantity, keyIds = [] }] of items.entries()) {
    const field = `body.items[${index}].keyIds`;
    for (const keyId of keyIds) {
      if (named.has(keyId)) throw invalidField(field, `names the key ${keyId} twice`);
      named.add(keyId);
    }
    if (keyIds.length > 0 && keyIds.length !== quantity)
      throw invalidField(field, `must name as many keys as the quantity, which is ${quantity}`);
  }
}

function chosenUnits({ returnToStock = false, withdrawKeys = false }: OrderRefund): RefundedUnits {
  if (returnToStock && withdrawKeys) {
    throw invalidField('body.withdrawKeys', 'cannot be combined with returnToStock; choose one');
  }
  if (withdrawKeys) return 'withdraw';
  return returnToStock ? 'return' : 'stay';
}

function act(deps: OrderActionDeps, action: Action): WriteWork<AdminOrder> {
  const { houseAccounts, onCatalogueChanged, publicUrl } = deps;
  return async (tx) => {
    const locked = requireFound(await lockOrder(tx, action.orderId), 'order');
    const isRefund = action.name === 'refund';
    const outcome = action.decide(locked, isRefund ? await listDeliveredKeys(tx, locked) : []);
    if (!outcome.ok) throw describeChangeRejection(outcome.rejection, action.name);
    const before = await loadOrder(tx, locked.id);
    const earlierMinor = await sumRecentRefunds(tx, locked.id);
    const context = { houseAccounts, actor: action.acting.principal.clientId, reason: action.reason };
    const { units, keyIds: moved, ...changes } = await applyChange(tx, locked, outcome.value, context);
    const keyIds = isRefund ? moved : undefined;
    const taken = isRefund ? { units: UNITS_OF_REFUND.find((name) => units[name] > 0), keyIds } : {};
    const amountMinor = sumOf(outcome.value);
    const amount = amountMinor === 0 ? undefined : formatMinor(amountMinor);
    const data = { reason: action.reason, amount, ...action.data, ...taken };
    const record = auditRecord(action.acting, `order.${action.name}`, { accountId: locked.accountId, data });
    await insertAudit(tx, { ...record, orderId: action.orderId });
    // A request whose process died is answered here: no worker will settle a canceled order for it (A115).
    if (outcome.value.status === 'canceled')
      await finishRecord(tx, locked.id, buildUnpaidResponse(locked.id, 'payment-went-wrong', publicUrl()));
    const after = await loadOrder(tx, locked.id);
    const done = { change: outcome.value, units, keyIds, before, after, earlierMinor };
    const effect = await effectOf(tx, locked, done);
    await logChanges(tx, changes);
    return {
      status: 200,
      data: buildAdminOrder(after),
      effect,
      ...(changes.productIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
    };
  };
}

function sumOf({ transfers }: OrderChange): number {
  return transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Read after the order was locked, so that reads of its keys have been recorded. */
async function listDeliveredKeys(tx: Tx, { id, status, items }: LockedOrder): Promise<DeliveredKey[]> {
  const [line] = items;
  if (status !== 'complete' || line === undefined) return [];
  return (await listUnits(tx, id)).map((unit) => ({ ...unit, itemId: line.id }));
}

async function effectOf(
  tx: Tx,
  order: LockedOrder,
  done: {
    readonly change: OrderChange;
    readonly units: MovedUnits;
    readonly keyIds: readonly string[] | undefined;
    readonly before: AccountOrderView;
    readonly after: AccountOrderView;
    /** What was refunded of it in the last 24 hours. */
    readonly earlierMinor: number;
  },
): Promise<WriteEffect> {
  const { change, units, keyIds, before, after, earlierMinor } = done;
  const amountMinor = sumOf(change);
  const approval = { amountMinor, sumMinor: earlierMinor + amountMinor, accountId: order.accountId };
  return {
    preview: {
      ...NO_EFFECT,
      ...moneyEffect(change.transfers, order.balanceMinor),
      order: { before: buildOrder(before), after: buildOrder(after) },
      units: { ...NO_EFFECT.units, ...units },
      ...(keyIds === undefined ? {} : { keyIds }),
      stock: await stockEffect(tx, order, units.returned),
    },
    // A replacement since the preview would have it take other keys.
    state: keyIds === undefined ? stateOf(order) : [...stateOf(order), keyIds],
    approval: { ...approval, orderId: order.id },
  };
}

function noteOf(notes: ReadonlyMap<string, OrderNote>, orderId: string): OrderNote {
  return must(notes.get(orderId), 'orders and accounts are never deleted');
}

function buildAdminOrder(order: AccountOrderView) {
  return { ...buildOrder(order), accountId: order.accountId };
}

/** One row of the log may hold several changes of one transaction; each is shown on its own. */
function buildStatusChanges(row: StatusChangeRow) {
  const path = [...row.via, row.to_status];
  return path.map((to, index) => ({
    from: path[index - 1] ?? row.from_status,
    to,
    at: formatDateTime(row.at),
    actor: row.actor,
    ...(row.actorName === null ? {} : { actorName: row.actorName }),
    reason: row.reason,
  }));
}

function describeChangeRejection(rejection: ChangeRejection, name: Action['name']): ApiError {
  switch (rejection.code) {
    case 'illegal-transition':
      return conflict(`This order is ${rejection.from}. ${ALLOWED[name]}`, {
        status: rejection.from,
      });
    case 'order-is-paid':
      return conflict('The order is paid; refund it instead of canceling it.');
    case 'order-is-not-paid':
      return conflict('The order is not paid; cancel it instead of refunding it.');
    case 'order-was-imported':
      return conflict('The order was imported from elsewhere; change it where it was made.');
    case 'refund-whole-before-delivery':
      return conflict(
        'Before delivery an order is refunded whole, without a choice of keys: leave out items, or release it first.',
      );
    case 'unknown-key':
      return invalidField(keyField(rejection), 'must be the id of a key that the item has');
    case 'key-was-refunded':
      return conflict(`${keyField(rejection)} is a key that was refunded already. Choose another one.`);
    case 'keys-were-read':
      return conflict(
        'Keys that the refund takes were read, so their units cannot go back to stock; leave out returnToStock, or send withdrawKeys.',
      );
    case 'unknown-item':
      return invalidField(`body.items[${rejection.lineIndex}].id`, 'must be the id of an item of the order');
    case 'too-many-units':
      return conflict(
        `body.items[${rejection.lineIndex}].quantity is above the item's refundable quantity, which is ${rejection.refundable}.`,
        { refundable: rejection.refundable },
      );
  }
}

function keyField({
  lineIndex,
  keyIndex,
}: {
  readonly lineIndex: number;
  readonly keyIndex: number;
}): string {
  return `body.items[${lineIndex}].keyIds[${keyIndex}]`;
}
