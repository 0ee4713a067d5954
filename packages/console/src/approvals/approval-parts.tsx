import type { OperatorAnswer, OperatorElement } from '@keyport/sdk-source/admin';
import { Alert, Button } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { OpenApprovalText, ReviewLink } from '../operate/open-approvals.tsx';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Badge, Link, type Look, OrderLink } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import { texts } from './texts.ts';

export type Approval = OperatorAnswer<'getApproval'>;

const LOOKS = {
  pending: ['warn', 'clock'],
  approved: ['good', 'check'],
  rejected: ['neutral', 'cross'],
} as const satisfies Record<Approval['status'], Look>;

export function ApprovalStatus({ status }: Pick<Approval, 'status'>) {
  return <Badge look={LOOKS[status]}>{texts.statuses[status]}</Badge>;
}

/** Links to the order of the approval, or else to its account. */
export function ApprovalSubject({ orderId, accountId }: Pick<Approval, 'orderId' | 'accountId'>) {
  return orderId === null ? <AccountLink accountId={accountId} /> : <OrderLink id={orderId} />;
}

export function AccountLink({ accountId }: Pick<Approval, 'accountId'>) {
  const { data } = useRead('getAccount', { params: { accountId } });
  return <Link to={paths.account(accountId)}>{data?.name ?? accountId.slice(0, 8)}</Link>;
}

type Subject = { readonly orderId: string } | { readonly accountId: string };

type Waiting = readonly OperatorElement<'listApprovals'>[] | undefined;

const WAITING_MAX = 100;

/** The approvals that this order or account is waiting for; undefined until they are loaded. */
export function useWaitingApprovals(subject: Subject): Waiting {
  const query = { ...subject, status: 'pending', limit: WAITING_MAX } as const;
  const { data, error, isPlaceholderData } = useRead('listApprovals', { query }, { everyMs: 15_000 });
  // While another subject is loading, the data is still that of the previous one.
  if (data === undefined || isPlaceholderData) return error === null ? undefined : [];
  return data.data;
}

/** The first thing to do about an order, an account or a claim. */
export function ReviewButton({ approvals }: { readonly approvals: Waiting }) {
  const go = useGo();
  const oldest = approvals?.at(-1);
  return oldest === undefined ? null : (
    <Button variant="filled" onClick={() => go(paths.approval(oldest.id))}>
      {common.reviewRequest}
    </Button>
  );
}

export function WaitingApprovals({ approvals = [] }: { readonly approvals: Waiting }) {
  const oldest = approvals.at(-1);
  if (oldest === undefined) return null;
  return (
    <Alert color="warn" icon={<Icon name="approvals" />}>
      {approvals.length === 1 ? (
        <>
          <OpenApprovalText approval={oldest} /> <ReviewLink id={oldest.id} />
        </>
      ) : (
        <>
          {texts.waitMany(approvals.length)} <Link to={paths.approval(oldest.id)}>{texts.reviewOldest}</Link>
        </>
      )}
    </Alert>
  );
}
