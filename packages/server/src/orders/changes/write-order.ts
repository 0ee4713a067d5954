/** The skeleton of each write that changes an order: it locks, decides, applies, audits, previews and logs the events. */
import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import {
  type ChangeOutcome,
  decideCancel,
  decideHold,
  decideRelease,
  type OrderChange,
} from '@keyport/core/orders/decide-change';
import { requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { WriteEffect, Written } from '../../operations/operation.ts';
import { moneyEffect } from '../../operations/write-effect.ts';
import type { OrderDeps } from '../order-deps.ts';
import { buildUnpaidResponse } from '../payments/settlement.ts';
import { applyChange, type Moved } from './apply-change.ts';
import { type ChangeName, describeChangeRejection } from './change-rejections.ts';
import { loadOrder, previewChange, showAdminOrder, toState } from './order-effect.ts';
import { finishRecord, type LockedOrder, lockOrder } from './order-updates.sql.ts';

export type OrderCommand = Acting & { readonly orderId: string; readonly reason: string };

export type WriteDeps = Pick<OrderDeps, 'houseAccounts' | 'onCatalogueChanged' | 'publicUrl'>;

export type OrderWrite = {
  readonly name: ChangeName;
  readonly action: AuditAction;
  readonly decide: (order: LockedOrder) => ChangeOutcome | Promise<ChangeOutcome>;
  /** The audit entry has these members beside the reason. */
  readonly auditData?: (change: OrderChange, moved: Moved) => Record<string, unknown>;
};

export type OrderWritten = Written<AdminOrder> &
  Moved & {
    readonly order: LockedOrder;
    readonly change: OrderChange;
    readonly effect: WriteEffect & { readonly state: readonly unknown[] };
  };

export async function writeOrder(
  tx: Tx,
  command: OrderCommand,
  { name, action, decide, auditData }: OrderWrite,
  { houseAccounts, onCatalogueChanged, publicUrl }: WriteDeps,
): Promise<OrderWritten> {
  const { orderId, reason, principal } = command;
  const order = requireFound(await lockOrder(tx, orderId), 'order');
  const outcome = await decide(order);
  if (!outcome.ok) throw describeChangeRejection(outcome.rejection, name);
  const change = outcome.value;
  const before = await loadOrder(tx, orderId);
  const context = { houseAccounts, actor: principal.clientId, reason };
  const { units, keyIds, ...changes } = await applyChange(tx, order, change, context);
  const moved = { units, keyIds };
  const data = { reason, ...auditData?.(change, moved) };
  await audit(tx, command, action, { accountId: order.accountId, orderId, data });
  // No worker settles a canceled order, so its response is stored here if the process that placed it died.
  if (change.status === 'canceled')
    await finishRecord(tx, orderId, buildUnpaidResponse(orderId, 'payment-went-wrong', publicUrl()));
  const { after, preview } = await previewChange(tx, order, { before, units, gained: units.returned });
  await logChanges(tx, changes);
  return {
    status: 200,
    data: showAdminOrder(after),
    effect: {
      preview: { ...preview, ...moneyEffect(change.transfers, order.balanceMinor) },
      state: toState(order),
    },
    ...(changes.productIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
    ...moved,
    order,
    change,
  };
}

const DECISIONS = { hold: decideHold, release: decideRelease, cancel: decideCancel };

export function changeOrder(
  tx: Tx,
  name: keyof typeof DECISIONS,
  command: OrderCommand,
  deps: WriteDeps,
): Promise<OrderWritten> {
  return writeOrder(tx, command, { name, action: `order.${name}`, decide: DECISIONS[name] }, deps);
}
