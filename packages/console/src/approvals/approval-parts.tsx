/** Parts of the list and of the page of approvals. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { Badge, OrderId, type Tone } from '../ui/values.tsx';

export type Approval = OperatorAnswer<'getApproval'>;

const LOOKS = {
  pending: ['warn', 'clock'],
  approved: ['good', 'check'],
  rejected: ['neutral', 'cross'],
} as const satisfies Record<Approval['status'], readonly [Tone, IconName]>;

export function ApprovalStatus({ status }: Pick<Approval, 'status'>) {
  const [tone, icon] = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {texts.approvals.statuses[status]}
    </Badge>
  );
}

/** The order, or else the account that it is about. */
export function ApprovalSubject({
  approval: { orderId, accountId },
}: {
  readonly approval: Pick<Approval, 'orderId' | 'accountId'>;
}) {
  if (orderId !== null) {
    return (
      <Link to={paths.order(orderId)}>
        <OrderId id={orderId} />
      </Link>
    );
  }
  return <Link to={paths.account(accountId)}>{texts.approvals.account(accountId.slice(0, 8))}</Link>;
}
