import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import {
  type ChangeOutcome,
  decideCancel,
  decideHold,
  decideRelease,
  type OrderState,
} from '@keyport/core/orders/decide-change';
import { requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { Written } from '../../operations/operation.ts';
import { moneyEffect } from '../../operations/write-effect.ts';
import type { OrderDeps } from '../order-deps.ts';
import { buildUnpaidResponse } from '../payments/settlement.ts';
import { applyChange } from './apply-change.ts';
import { type ChangeName, describeChangeRejection } from './change-rejections.ts';
import { loadOrder, previewChange, showAdminOrder, stateOf } from './order-effect.ts';
import { finishRecord, lockOrder } from './order-updates.sql.ts';

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
  deps: Pick<OrderDeps, 'houseAccounts' | 'onCatalogueChanged' | 'publicUrl'>,
): Promise<Written<AdminOrder>> {
  const { houseAccounts, onCatalogueChanged, publicUrl } = deps;
  const { orderId, reason, principal } = command;
  const order = requireFound(await lockOrder(tx, orderId), 'order');
  const outcome = DECISIONS[name](order);
  if (!outcome.ok) throw describeChangeRejection(outcome.rejection, name);
  const change = outcome.value;
  const before = await loadOrder(tx, order.id);
  const context = { houseAccounts, actor: principal.clientId, reason };
  const { units, keyIds: _keyIds, ...changes } = await applyChange(tx, order, change, context);
  const details = { accountId: order.accountId, orderId, data: { reason } };
  await audit(tx, command, `order.${name}`, details);
  // No worker settles a canceled order, so its response is stored here if the process that placed it died.
  if (change.status === 'canceled')
    await finishRecord(tx, order.id, buildUnpaidResponse(order.id, 'payment-went-wrong', publicUrl()));
  const { after, preview } = await previewChange(tx, order, { before, units, gained: units.returned });
  await logChanges(tx, changes);
  return {
    status: 200,
    data: showAdminOrder(after),
    effect: {
      preview: { ...preview, ...moneyEffect(change.transfers, order.balanceMinor) },
      state: stateOf(order),
    },
    ...(changes.productIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
  };
}
