import { Box } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { PageSteps } from '../lists/steps.tsx';
import { Operate } from '../operate/operate.tsx';
import { WritePreviewFacts } from '../operate/write-preview.tsx';
import { common, formatMoney } from '../texts.ts';
import { Columns, Facts, type FactsOf, Said, Section, ThingPage, Warning } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Link, Money, OrderLink, Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { AccountLink, type Approval, ApprovalStatus } from './approval-parts.tsx';
import { texts } from './texts.ts';

const QUEUE_MAX = 200;

export function ApprovalPage() {
  const approvalId = usePathId();
  const query = useRead(
    'getApproval',
    { params: { approvalId } },
    { everyMs: (shown) => (shown === undefined || shown.status === 'pending' ? 5000 : undefined) },
  );
  const waiting = { status: 'pending', limit: QUEUE_MAX } as const;
  const queue = useRead('listApprovals', { query: waiting }, { everyMs: 15_000 });
  return (
    <ThingPage
      query={query}
      missing="approval"
      back={{ to: paths.approvals, label: common.navigation.approvals }}
      title={(approval) => (approval === undefined ? texts.title : toAmount(approval))}
      mark={({ status }) => <ApprovalStatus status={status} />}
      actions={() => <PageSteps queue={queue.data?.data} id={approvalId} toPath={paths.approval} />}
    >
      {(approval) => <ApprovalFacts approval={approval} />}
    </ThingPage>
  );
}

function ApprovalFacts({ approval }: { readonly approval: Approval }) {
  const { status, preview } = approval;
  const { whyNot } = useDecision(approval);
  return (
    <Columns
      actions={<ApprovalActions approval={approval} />}
      beside={<Facts title={common.request} facts={toRequest(approval)} />}
    >
      {whyNot === undefined ? null : <Warning icon="alert">{whyNot}</Warning>}
      <Said title={common.reason} text={approval.reason} />
      {preview === null ? null : (
        <Section title={texts.effects[status]}>
          <Box maw={640}>
            <WritePreviewFacts preview={{ ...preview, needsApproval: false }} />
          </Box>
        </Section>
      )}
    </Columns>
  );
}

function toRequest(approval: Approval): FactsOf {
  const { accountId, orderId, amount, requestedBy, decidedBy, decidedAt } = approval;
  const { reference } = approval.body;
  return {
    [common.order]: orderId === null ? null : <OrderLink id={orderId} />,
    [common.account]: <AccountLink accountId={accountId} />,
    [common.amount]: <Money amount={amount} />,
    [common.reference]: typeof reference === 'string' ? reference : null,
    [texts.requestedBy]: <Person id={requestedBy} />,
    [common.requested]: <Time at={approval.requestedAt} />,
    [texts.decidedBy]: decidedBy === null ? null : <Person id={decidedBy} />,
    [texts.decidedAt]: decidedAt === null ? null : <Time at={decidedAt} />,
    [common.why]: approval.decisionReason,
  };
}

function useDecision({ status, operation, requestedBy, requesterStatus, mayApprove }: Approval) {
  const { operator } = useSession();
  const isFinance = !['refundOrder', 'decideClaim'].includes(operation);
  const mayWrite = useMay(isFinance ? 'finance' : 'orders');
  const isPending = status === 'pending';
  const mayDecide = useMay('approve') && mayWrite && isPending;
  const isOwn = requestedBy === operator.id;
  const isActive = requesterStatus === 'active';
  // An operator whose role approves nothing needs no reason.
  const isShown = isPending && !mayApprove && (mayDecide || !isActive);
  const reason = isOwn && isActive ? texts.own : texts.notApprovable[requesterStatus];
  return { mayDecide, isOwn, whyNot: isShown ? reason : undefined };
}

function ApprovalActions({ approval }: { readonly approval: Approval }) {
  const { mayDecide, isOwn, whyNot } = useDecision(approval);
  if (!mayDecide) return null;
  const label = (isOwn ? texts.withdraw : texts.reject).label;
  const reject = { label, dialog: <RejectDialog approval={approval} isOwn={isOwn} /> };
  const approve = {
    label: texts.approve,
    isPrimary: true,
    dialog: <ApproveDialog approval={approval} />,
  };
  return <Actions icon="approvals" actions={whyNot === undefined ? [reject, approve] : [reject]} />;
}

type DialogProps = { readonly approval: Approval };

function toAmount({ operation, amount }: Approval): string {
  return `${texts.operations[operation]} ${formatMoney(amount)}`;
}

function ApproveDialog({ approval }: DialogProps) {
  const { id, accountId, orderId, operation } = approval;
  const { data: account } = useRead('getAccount', { params: { accountId } });
  return (
    <Operate
      operation="approveWrite"
      params={{ approvalId: id }}
      title={texts.approveTitle(toAmount(approval))}
      showPreview={(preview) => (
        <WritePreviewFacts
          account={account?.name}
          preview={preview && { ...preview, needsApproval: false }}
        />
      )}
      submit={texts.approve}
      submitAmount={texts.submits[operation] ?? (() => texts.approve)}
      done={
        <Link to={orderId === null ? paths.account(accountId) : paths.order(orderId)}>
          {texts.approved(toAmount(approval))}
        </Link>
      }
    />
  );
}

function RejectDialog({ approval, isOwn }: DialogProps & { readonly isOwn: boolean }) {
  return (
    <Operate
      operation="rejectWrite"
      params={{ approvalId: approval.id }}
      of={toAmount(approval)}
      says={texts.rejectSays}
      isDangerous
      {...(isOwn ? texts.withdraw : texts.reject)}
    />
  );
}
