/** Holds, releases or cancels an order. R12 to R14. */
import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import {
  type ChangeOutcome,
  decideCancel,
  decideHold,
  decideRelease,
  type OrderState,
} from '@keyport/core/orders/decide-change';
import { requireFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { HouseAccounts } from '../../ledger/house-accounts.sql.ts';
import type { Written } from '../../operations/operation.ts';
import { moneyEffect, NO_EFFECT } from '../../operations/write-effect.ts';
import { buildOrder } from '../order-response.ts';
import { buildUnpaidResponse } from '../payments/settlement.ts';
import { applyChange } from './apply-change.ts';
import { type ChangeName, describeChangeRejection } from './change-rejections.ts';
import { loadOrder, showAdminOrder, stateOf, stockEffect } from './order-effect.ts';
import { finishRecord, lockOrder } from './order-updates.sql.ts';

export type OrderChangeDeps = {
  readonly houseAccounts: HouseAccounts;
  readonly onCatalogueChanged: () => void;
  /** Base of doc_url in the stored response of a canceled order. */
  readonly publicUrl: () => string;
};

export type ChangeCommand = Acting & { readonly orderId: string; readonly reason: string };

type Decide = (order: OrderState) => ChangeOutcome;

const DECISIONS = {
  hold: decideHold,
  release: decideRelease,
  cancel: decideCancel,
} satisfies Partial<Record<ChangeName, Decide>>;

export async function changeOrder(
  tx: Tx,
  name: keyof typeof DECISIONS,
  command: ChangeCommand,
  { houseAccounts, onCatalogueChanged, publicUrl }: OrderChangeDeps,
): Promise<Written<AdminOrder>> {
  const { orderId, reason, principal } = command;
  const order = requireFound(await lockOrder(tx, orderId), 'order');
  const outcome = DECISIONS[name](order);
  if (!outcome.ok) throw describeChangeRejection(outcome.rejection, name);
  const change = outcome.value;
  const before = await loadOrder(tx, order.id);
  const context = { houseAccounts, actor: principal.clientId, reason };
  const { units, keyIds: _keyIds, ...changes } = await applyChange(tx, order, change, context);
  const record = auditRecord(command, `order.${name}`, { accountId: order.accountId, data: { reason } });
  await insertAudit(tx, { ...record, orderId });
  // No worker settles a canceled order, so the request of a process that died gets its response here.
  if (change.status === 'canceled')
    await finishRecord(tx, order.id, buildUnpaidResponse(order.id, 'payment-went-wrong', publicUrl()));
  const after = await loadOrder(tx, order.id);
  const effect = {
    preview: {
      ...NO_EFFECT,
      ...moneyEffect(change.transfers, order.balanceMinor),
      order: { before: buildOrder(before), after: buildOrder(after) },
      units: { ...NO_EFFECT.units, ...units },
      stock: await stockEffect(tx, order, units.returned),
    },
    state: stateOf(order),
  };
  await logChanges(tx, changes);
  return {
    status: 200,
    data: showAdminOrder(after),
    effect,
    ...(changes.productIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
  };
}
