import { texts as formTexts } from '../forms/texts.ts';
import { plural } from '../texts.ts';

export const texts = {
  operations: {
    refundOrder: 'Refund',
    decideClaim: 'Claim refund',
    createDeposit: 'Deposit',
    createAdjustment: 'Correction',
    createPayout: 'Payout',
  } as Readonly<Record<string, string>>,
  statuses: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected' },
  waits: (what: string, amount: string) => `${what} of ${amount} is waiting for approval. Requested by`,
  waitMany: (count: number) => `${plural(count, 'request')} wait for approval.`,
  reviewOldest: 'Review the oldest',
  requestedBy: 'Requested by',
  empty:
    'Nothing is waiting for approval. Refunds, deposits, corrections and payouts above the limit appear here.',
  title: 'Approval',
  effects: { pending: 'What it would do now', approved: 'What it did', rejected: 'What it would have done' },
  own: 'You requested this. Another operator must approve it.',
  notApprovable: {
    active:
      'You cannot approve requests from an operator who invited you, directly or through others, or from a client that you created. An operator whom the requester did not invite must approve this.',
    disabled: 'The requester has since been disabled. A new request is needed.',
    demoted: 'The requester may no longer request this. A new request is needed.',
  },
  decidedBy: 'Decided by',
  decidedAt: 'Decided',
  approve: 'Approve',
  approveTitle: (what: string) => `Approve: ${what}`,
  submits: {
    refundOrder: (amount: string) => `Refund ${amount}`,
    decideClaim: (amount: string) => `Refund ${amount}`,
    createDeposit: (amount: string) => `Deposit ${amount}`,
    createAdjustment: (amount: string) => `Correct by ${amount}`,
    createPayout: (amount: string) => `Pay out ${amount}`,
  } as Readonly<Record<string, (amount: string) => string>>,
  approved: (what: string) => `Approved: ${what}`,
  reject: {
    label: 'Reject',
    title: (what: string) => `Reject: ${what}`,
    submit: 'Reject request',
    done: 'Request rejected',
  },
  withdraw: {
    label: 'Withdraw request',
    title: (what: string) => `Withdraw: ${what}`,
    submit: 'Withdraw request',
    done: 'Request withdrawn',
  },
  bulk: {
    possible: 'Requests that you may decide',
    approve: {
      title: (count: number) => `Approve ${plural(count, 'request')}`,
      done: (count: number) => `${plural(count, 'request')} approved`,
      stopped: (done: number, left: number) => formTexts.steps.stopped(done, 'approved', left),
    },
    reject: {
      title: (count: number) => `Reject ${plural(count, 'request')}`,
      done: (count: number) => `${plural(count, 'request')} rejected`,
      stopped: (done: number, left: number) => formTexts.steps.stopped(done, 'rejected', left),
    },
  },
  rejectSays: 'Nothing is booked.',
} as const;
