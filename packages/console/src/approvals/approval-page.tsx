/** One write that needs approval: its current effect, and the decision. */
import { Alert } from '@mantine/core';
import { useLive } from '../api/queries.ts';
import { WritePreviewFacts } from '../forms/write-preview.tsx';
import { Assignee } from '../notes/assignee.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Loaded } from '../ui/states.tsx';
import { formatMoney, Money, Time } from '../ui/values.tsx';
import { usePathId } from '../url.ts';
import { ApprovalActions } from './approval-actions.tsx';
import { AccountLink, type Approval, ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';

const LIVE_MS = 5000;

export function ApprovalPage() {
  const approvalId = usePathId();
  const query = useLive(
    ['approval', approvalId],
    (client, signal) => client.getApproval({ params: { approvalId } }, { signal }),
    { everyMs: (shown) => (shown === undefined || shown.status === 'pending' ? LIVE_MS : undefined) },
  );
  const approval = query.data;
  const title =
    approval === undefined
      ? texts.approval.title
      : `${texts.approvals.operations[approval.operation]} ${formatMoney(approval.amount)}`;
  return (
    <Page
      title={title}
      back={{ to: paths.approvals, label: texts.navigation.approvals }}
      heading={
        approval === undefined ? undefined : (
          <>
            {title} <ApprovalStatus status={approval.status} />
          </>
        )
      }
      actions={
        approval === undefined ? null : (
          <>
            {approval.status === 'pending' ? <Assignee kind="approval" of={approval} /> : null}
            <ApprovalActions approval={approval} />
          </>
        )
      }
    >
      <Loaded query={query} missing="approval">
        {(shown) => <ApprovalFacts approval={shown} />}
      </Loaded>
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
        <Section title={texts.common.request}>
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
  const {
    accountId,
    orderId,
    amount,
    reason,
    body,
    requestedBy,
    requestedAt,
    decidedBy,
    decidedAt,
    decisionReason,
  } = approval;
  const { reference } = body;
  return (
    <Facts
      facts={{
        [texts.common.order]: orderId === null ? null : <ApprovalSubject approval={approval} />,
        [texts.common.account]: <AccountLink accountId={accountId} />,
        [texts.common.amount]: <Money amount={amount} />,
        [texts.common.reason]: reason,
        [texts.common.reference]: typeof reference === 'string' ? reference : null,
        [texts.approvals.requestedBy]: <Person id={requestedBy} />,
        [texts.common.requested]: <Time at={requestedAt} />,
        [texts.approval.decidedBy]: decidedBy === null ? null : <Person id={decidedBy} />,
        [texts.approval.decidedAt]: decidedAt === null ? null : <Time at={decidedAt} />,
        [texts.common.why]: decisionReason,
      }}
    />
  );
}
