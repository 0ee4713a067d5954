import type { OperatorElement } from '@keyport/sdk-source/admin';
import { summarize } from '../audit/words.ts';
import { type Moment, Timeline, toAuditMoment } from '../notes/timeline.tsx';
import { common } from '../texts.ts';
import { Isolated, STATUS_LOOKS } from '../ui/values.tsx';
import { wordReason } from '../ui/wording.ts';
import { type OrderWithLog, useAuditOf } from './order-data.ts';
import { texts } from './texts.ts';

type Change = OrderWithLog['statusLog'][number];

export function OrderTimeline({ order }: { readonly order: OrderWithLog }) {
  const { data: audit } = useAuditOf(order.id);
  // Status changes are in the order's own log, with their reason.
  const others = (audit?.data ?? []).filter(({ action }) => !isShownElsewhere(action));
  const refunds = (audit?.data ?? []).filter(({ action }) => action === 'order.refund');
  const moments = [
    ...finalSteps(order.statusLog).map((change, index) => momentOfChange(change, index, refunds)),
    ...others.map((entry) => toAuditMoment(entry, order.accountName)),
  ];
  return <Timeline subject={`order:${order.id}`} moments={moments} />;
}

/** A transaction may pass through several statuses with one reason: only the last status is kept. */
function finalSteps(log: readonly Change[]): Change[] {
  const steps: Change[] = [];
  for (const change of log) {
    const before = steps.at(-1);
    const continues =
      before !== undefined &&
      change.from !== change.to &&
      (['at', 'actor', 'reason'] as const).every((name) => before[name] === change[name]);
    if (continues) steps.splice(-1, 1, { ...change, from: before.from });
    else steps.push(change);
  }
  return steps;
}

function isShownElsewhere(action: string): boolean {
  return ['order.hold', 'order.release', 'order.cancel', 'order.refund', 'note.create'].includes(action);
}

/** The actor of changes that no person made. */
export const SERVICE = 'keyport';

type Entry = OperatorElement<'listAudit'>;

/** The keys and the amount of a refund, from its entry in the audit log. */
function whatWasRefunded({ at, reason }: Change, refunds: readonly Entry[]): string {
  const distance = (entry: Entry) => Math.abs(Date.parse(entry.at) - Date.parse(at));
  const [entry] = refunds
    .filter(({ data }) => data['reason'] === reason)
    .toSorted((one, other) => distance(one) - distance(other));
  return entry === undefined ? '' : summarize(entry);
}

function momentOfChange(change: Change, index: number, refunds: readonly Entry[]): Moment {
  const { from, to, at, actor, actorName, reason } = change;
  const who = actor === SERVICE ? texts.order.service : (actorName ?? actor);
  const isRefund = from === to;
  const refunded = isRefund || to === 'closed' ? whatWasRefunded(change, refunds) : '';
  const isRelease = from === 'held' && (to === 'complete' || to === 'processing');
  return {
    key: `status-${index}`,
    at,
    look: isRefund ? ['neutral', 'undo'] : STATUS_LOOKS[to],
    what: isRefund ? texts.order.refundedInPart : common.statuses[to],
    more: (
      <>
        {refunded === '' ? '' : `${refunded} · `}
        {isRelease ? `${texts.order.releasedBy} ` : null}
        {from === null ? texts.order.placed : <Isolated>{who}</Isolated>}:{' '}
        <Isolated>{wordReason(reason)}</Isolated>
      </>
    ),
  };
}
