/** Releases, holds or refunds several orders. */
import type { OperatorElement, WritePreview } from '@keyport/sdk-source/admin';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { texts as formTexts } from '../forms/texts.ts';
import { type BulkAction, BulkDialog, countWaiting, type Plan, type Ready } from '../operate/bulk-dialog.tsx';
import { openApprovalsIn } from '../operate/open-approvals.tsx';
import { common, formatCount, formatMoney, toNames } from '../texts.ts';
import { OrderId, Time } from '../ui/values.tsx';
import { computeSum, computeSums, computeUnits } from './order-data.ts';
import { type RefundedUnits, UnitsChoice, unitsToSend } from './refund-dialog.tsx';
import { texts } from './texts.ts';

type Order = OperatorElement<'listAllOrders'>;
export type BulkName = 'release' | 'hold' | 'refund';

const OPERATIONS = { release: 'releaseOrder', hold: 'holdOrder', refund: 'refundOrder' } as const;
const MOVED = ['returned', 'kept', 'withdrawn'] as const;

type OrderPlan = Plan & {
  /** The destination of the refunded units. */
  readonly units: RefundedUnits;
  readonly moved: Partial<WritePreview['units']>;
};

export function BulkOrders(props: {
  readonly name: BulkName;
  readonly ids: readonly string[];
  readonly orders: readonly Order[];
  readonly onFailed: (ids: readonly string[]) => void;
}) {
  const { name, ids, orders, onFailed } = props;
  const [units, setUnits] = useState<RefundedUnits>('return');
  const isRefund = name === 'refund';
  const action: BulkAction<OrderPlan> = {
    key: [name, units],
    title: texts.bulk.title[name],
    name: (id) => <OrderId id={id} />,
    preview: (id) => previewOne(name, id, units),
    send: ({ id, plan }, reason, options) =>
      admin.call(OPERATIONS[name], toInput(name, id, reason, plan.units), options).withResponse(),
    toFacts: (ready) => toFacts(name, ready, orders),
    ...(isRefund ? { toTyped: toSum, submit: refundText } : {}),
    done: (done, waiting) => texts.bulk.done(name, done, waiting),
    stopped: (done, left) => texts.bulk.stopped(name, done, left),
    leftOut: { says: texts.bulk.leftOut, take: texts.bulk.takeOpen },
    isDangerous: isRefund,
    reason: 'required',
  };
  return (
    <BulkDialog action={action} ids={ids} onFailed={onFailed}>
      {isRefund ? <UnitsChoice choices={texts.bulk.choices} units={units} onChange={setUnits} /> : null}
    </BulkDialog>
  );
}

const toSum = (ready: readonly Ready<OrderPlan>[]) => computeSum(ready.map(({ plan }) => plan.amount));

function refundText(ready: readonly Ready<OrderPlan>[]): string {
  const asked = ready.filter(({ isWaiting }) => isWaiting);
  const now = ready.filter(({ isWaiting }) => !isWaiting);
  if (asked.length === 0) return texts.bulk.refund(formatMoney(toSum(now)));
  if (now.length === 0) return formTexts.action.approval(formatMoney(toSum(asked)));
  return texts.bulk.refundAndAsk(formatMoney(toSum(now)), formatMoney(toSum(asked)));
}

function toFacts(name: BulkName, ready: readonly Ready<OrderPlan>[], all: readonly Order[]) {
  const ids = new Set(ready.map(({ id }) => id));
  const orders = all.filter(({ id }) => ids.has(id));
  const accounts = [...new Set(orders.map(({ accountName }) => accountName))];
  const oldest = orders.map(({ createdAt }) => createdAt).toSorted()[0];
  const waiting = countWaiting(ready);
  return {
    [texts.bulk.possible]: formatCount(ready.length),
    [common.units]: formatCount(orders.reduce((count, order) => count + computeUnits(order), 0)),
    [texts.bulk.value]: orders.length === 0 ? null : computeSums(orders),
    [texts.bulk.accounts]: accounts.length === 0 ? null : toNames(accounts),
    [texts.bulk.oldest]: oldest === undefined ? null : <Time at={oldest} />,
    ...(name === 'refund' ? { [texts.bulk.sum]: formatMoney(toSum(ready)), ...listMoved(ready) } : {}),
    [texts.bulk.waiting]: waiting > 0 ? formatCount(waiting) : null,
  };
}

function listMoved(ready: readonly Ready<OrderPlan>[]): Record<string, string> {
  const counts = MOVED.map((where) => {
    const count = ready.reduce((sum, { plan }) => sum + (plan.moved[where] ?? 0), 0);
    return [common.movedUnits[where], count] as const;
  });
  return Object.fromEntries(counts.flatMap(([name, count]) => (count > 0 ? [[name, String(count)]] : [])));
}

/** `keep` sends nothing for the units of a refund. */
function toInput(name: BulkName, orderId: string, reason: string, units: RefundedUnits) {
  return { params: { orderId }, body: { reason, ...(name === 'refund' ? unitsToSend(units) : {}) } };
}

async function previewOne(name: BulkName, id: string, units: RefundedUnits): Promise<OrderPlan> {
  try {
    const { preview, etag } = await admin.preview(OPERATIONS[name], toInput(name, id, 'preview', units));
    const { amount, needsApproval, units: moved } = preview;
    const open = openApprovalsIn(preview);
    return { amount, etag: etag || undefined, isWaiting: needsApproval, units, moved, open };
  } catch (error) {
    // Either a key was read, or the order cannot be refunded: the second preview shows which.
    const isConflict = error instanceof KeyportError && error.status === 409;
    if (name === 'refund' && units === 'return' && isConflict) return previewOne(name, id, 'keep');
    throw error;
  }
}
