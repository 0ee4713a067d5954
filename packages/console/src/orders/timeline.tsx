import { AUDIT_ACTIONS } from '@keyport/contract/operators/audit-actions';
import type { OperatorElement } from '@keyport/sdk-source/admin';
import type { ReactNode } from 'react';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Badge, Isolated, OrderStatusBadge, ShortId, Time } from '../ui/values.tsx';
import { type OrderWithLog, useAuditOf } from './order-data.ts';
import { texts } from './texts.ts';

type AuditEntry = OperatorElement<'listAudit'>;
type Change = OrderWithLog['statusLog'][number];
type Moment = {
  readonly key: string;
  readonly at: string;
  readonly mark: ReactNode;
  readonly says: ReactNode;
};

export function Timeline({ order }: { readonly order: OrderWithLog }) {
  const { data: audit } = useAuditOf(order.id);
  // Status changes are in the order's own log, with their reason; notes are shown above.
  const others = (audit?.data ?? []).filter(({ action }) => !isShownElsewhere(action));
  const moments = [
    ...finalSteps(order.statusLog).map(momentOfChange),
    ...others.map((entry) => momentOfEntry(entry, order.accountName)),
  ];
  moments.sort((one, other) => (one.at < other.at ? 1 : -1));
  return (
    <ol className="timeline">
      {moments.map(({ key, at, mark, says }) => (
        <li key={key}>
          <Time at={at} />
          <span>{mark}</span>
          <span>{says}</span>
        </li>
      ))}
    </ol>
  );
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

function momentOfChange({ from, to, at, actor, actorName, reason }: Change, index: number): Moment {
  const who = actor === 'keyport' ? texts.order.service : (actorName ?? actor);
  return {
    key: `status-${index}`,
    at,
    mark:
      from === to ? (
        <Badge look={['neutral', 'undo']}>{texts.order.refundedInPart}</Badge>
      ) : (
        <OrderStatusBadge status={to} />
      ),
    says: (
      <>
        {from === null ? texts.order.placed : <Isolated>{who}</Isolated>}: <Isolated>{reason}</Isolated>
      </>
    ),
  };
}

const CLAIM_REASONS: Readonly<Record<string, string>> = common.claimReasons;

function momentOfEntry(entry: AuditEntry, accountName: string): Moment {
  const { id, at, action, data, traceId, name: person, role } = entry;
  const callerId = entry.clientId ?? entry.memberId;
  const { reason } = data;
  const said = typeof reason === 'string' ? (CLAIM_REASONS[reason] ?? reason) : undefined;
  // Only people and operators' clients have a role; an unnamed client without a role is the reseller's.
  const who = person ?? (role === undefined ? accountName : callerId);
  const name = AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS] ?? action;
  return {
    key: `audit-${id}`,
    at,
    mark: <Badge look={['neutral', action.includes('key') ? 'key' : 'person']}>{name}</Badge>,
    says: (
      <>
        <span title={callerId}>
          <Isolated>{who}</Isolated>
        </span>
        {said === undefined ? '' : ': '}
        <Isolated>{said}</Isolated>{' '}
        {traceId === undefined ? null : (
          <Hint span>
            {texts.order.trace} <ShortId id={traceId} what={texts.order.traceId} />
          </Hint>
        )}
      </>
    ),
  };
}
