/** Approve and reject. Operators cannot approve their own requests, but can withdraw them. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { useMay, useSession } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { formatAmount, typedAmount, WritePreviewFacts } from '../forms/write-preview.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import type { Approval } from './approval-parts.tsx';

export function ApprovalActions({ approval }: { readonly approval: Approval }) {
  const { operator } = useSession();
  const isFinance = !['refundOrder', 'decideClaim'].includes(approval.operation);
  const mayWrite = useMay(isFinance ? 'finance' : 'orders');
  const mayApprove = useMay('approve') && mayWrite;
  const [open, setOpen] = useState<'approve' | 'reject'>();
  if (!mayApprove || approval.status !== 'pending') return null;
  const isOwn = approval.requestedBy === operator.id;
  const problem = approval.mayApprove
    ? undefined
    : isOwn
      ? texts.approval.own
      : texts.approval.notApprovable[approval.requesterStatus];
  const close = () => setOpen(undefined);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen('reject')}>
        {isOwn ? texts.approval.withdraw.name : texts.approval.reject.name}…
      </Button>
      <Button
        size="xs"
        aria-disabled={problem !== undefined}
        data-unavailable={problem !== undefined}
        title={problem}
        onClick={() => (problem === undefined ? setOpen('approve') : undefined)}
      >
        {texts.approval.approve}…
      </Button>
      {open === 'approve' ? <ApproveDialog approval={approval} onClose={close} /> : null}
      {open === 'reject' ? <RejectDialog approval={approval} isOwn={isOwn} onClose={close} /> : null}
    </>
  );
}

type DialogProps = { readonly approval: Approval; readonly onClose: () => void };

function amountOf({ operation, amount }: Approval): string {
  return `${texts.approvals.operations[operation]} ${formatMoney(amount)}`;
}

function ApproveDialog({ approval, onClose }: DialogProps) {
  const inputOf = (reason: string) => ({ params: { approvalId: approval.id }, body: { reason } });
  return (
    <ActionDialog
      onClose={onClose}
      title={texts.approval.approveTitle(amountOf(approval))}
      form={`approve:${approval.id}`}
      preview={({ reason }) => admin.preview('approveWrite', inputOf(reason))}
      showPreview={(preview) => (
        <WritePreviewFacts preview={preview && { ...preview, needsApproval: false }} />
      )}
      submit={(preview) => {
        const amount = formatAmount(preview?.amount ?? approval.amount);
        return texts.approval.submits[approval.operation]?.(amount) ?? texts.approval.approve;
      }}
      typed={typedAmount}
      run={({ reason }, options) => admin.approveWrite(inputOf(reason), options)}
      onDone={() => {
        const { accountId, orderId } = approval;
        toast(
          <Link to={orderId === null ? paths.account(accountId) : paths.order(orderId)}>
            {texts.approval.approved(amountOf(approval))}
          </Link>,
        );
      }}
    />
  );
}

function RejectDialog({ approval, isOwn, onClose }: DialogProps & { readonly isOwn: boolean }) {
  const { title, submit, done } = isOwn ? texts.approval.withdraw : texts.approval.reject;
  return (
    <ActionDialog
      onClose={onClose}
      title={title(amountOf(approval))}
      form={`reject:${approval.id}`}
      showPreview={() => texts.approval.rejectSays}
      isDangerous
      submit={submit}
      run={({ reason }, options) =>
        admin.rejectWrite({ params: { approvalId: approval.id }, body: { reason } }, options)
      }
      onDone={() => toast(done)}
    />
  );
}
