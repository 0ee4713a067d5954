/** One write that waits for a second person: what it would do now, and the decision. */
import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { isMissing, useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { formatMoney, Money, Time } from '../ui/values.tsx';
import { WritePreviewFacts } from '../ui/write-preview.tsx';
import { ApprovalActions } from './approval-actions.tsx';
import { type Approval, ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';

const LIVE_MS = 5000;

export function ApprovalPage() {
  const { approvalId = '' }: { approvalId?: string } = useParams({ strict: false });
  const {
    data: approval,
    error,
    refetch,
  } = useLive(
    ['approval', approvalId],
    (client, signal) => client.getApproval({ params: { approvalId } }, { signal }),
    { everyMs: (shown) => (shown === undefined || shown.status === 'pending' ? LIVE_MS : undefined) },
  );
  const title =
    approval === undefined
      ? texts.approval.title
      : `${texts.approvals.operations[approval.operation]} ${formatMoney(approval.amount)}`;
  return (
    <Page
      title={title}
      back={{ to: paths.approvals, label: texts.approvals.title }}
      heading={
        approval === undefined ? undefined : (
          <>
            {title} <ApprovalStatus status={approval.status} />
          </>
        )
      }
      actions={approval === undefined ? null : <ApprovalActions approval={approval} />}
    >
      {approval !== undefined ? (
        <ApprovalFacts approval={approval} />
      ) : error === null ? (
        <Loading />
      ) : isMissing(error) ? (
        <Empty icon="search">{texts.states.notFound('approval')}</Empty>
      ) : (
        <Failure error={error} retry={() => void refetch()} />
      )}
    </Page>
  );
}

function ApprovalFacts({ approval }: { readonly approval: Approval }) {
  const { status, preview, requesterStatus } = approval;
  return (
    <>
      {status !== 'pending' || requesterStatus === 'active' ? null : (
        <Alert className="held-reason" icon={<Icon name="alert" />}>
          {texts.approval.notApprovable[requesterStatus]}
        </Alert>
      )}
      <div className="columns">
        <Section title={texts.approval.request}>
          <RequestFacts approval={approval} />
        </Section>
        {preview === null ? null : (
          <Section title={texts.approval.effects[status]}>
            <WritePreviewFacts preview={{ ...preview, needsApproval: false }} />
          </Section>
        )}
      </div>
    </>
  );
}

function RequestFacts({ approval }: { readonly approval: Approval }) {
  const { amount, reason, body, requestedBy, requestedAt, decidedBy, decidedAt, decisionReason } = approval;
  const { reference } = body;
  return (
    <Facts
      facts={[
        [texts.approvals.about, <ApprovalSubject key="about" approval={approval} />],
        [texts.approvals.amount, <Money key="amount" amount={amount} />],
        ...(reason === null ? [] : [[texts.approvals.reason, reason] as const]),
        ...(typeof reference === 'string' ? [[texts.bookings.reference, reference] as const] : []),
        [texts.approvals.requestedBy, <Person key="by" id={requestedBy} />],
        [texts.approvals.requestedAt, <Time key="at" at={requestedAt} />],
        ...(decidedBy === null
          ? []
          : [[texts.approval.decidedBy, <Person key="decided" id={decidedBy} />] as const]),
        ...(decidedAt === null
          ? []
          : [[texts.approval.decidedAt, <Time key="when" at={decidedAt} />] as const]),
        ...(decisionReason === null ? [] : [[texts.approval.decisionReason, decisionReason] as const]),
      ]}
    />
  );
}
