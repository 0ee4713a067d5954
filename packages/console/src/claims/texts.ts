import { texts as formTexts } from '../forms/texts.ts';
import { common, plural, some } from '../texts.ts';

export const texts = {
  title: (id: string) => `Claim ${id.slice(0, 12)}`,
  id: 'Claim id',
  statuses: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn' },
  outcomes: { replaced: 'Replaced', refunded: 'Refunded', rejected: 'Rejected', none: 'Not decided' },
  empty: 'No claims are waiting for a decision.',
  keysTitle: 'Keys',
  keys: (count: number) => plural(count, 'key'),
  report: 'Report',
  message: 'Message from the reseller',
  answer: 'Message to the reseller',
  answerHint: `Optional. The reseller reads it with the decision. ${common.noKeys}`,
  decidedAt: 'Decided',
  available: 'Replacement keys',
  rate: (claims: number, units: number) => `${plural(claims, 'claim')}, ${plural(units, 'unit')} sold`,
  delivered: 'Delivered',
  readBy: 'Read by',
  readFrom: (address: string) => `from ${address}`,
  decide: 'Decide',
  decideTitle: (reason: string) => `Decide the claim: ${reason}`,
  decisions: { replace: 'Replace', refund: 'Refund', reject: 'Reject' },
  submit: (decision: 'replace' | 'refund' | 'reject' | undefined, count: number) =>
    `${decision === undefined ? 'Decide' : texts.decisions[decision]} ${plural(count, 'key')}`,
  toKey: (masked: string) => `Key ${masked}`,
  done: 'Claim decided',
  bulk: {
    title: (decision: string, count: number) => `${decision} the keys of ${plural(count, 'claim')}`,
    decision: 'Decision about every key',
    possible: 'Claims that can be decided so',
    done: (done: number, waiting: number) =>
      [
        ...some(done, `${plural(done, 'claim')} decided`),
        ...some(waiting, `${plural(waiting, 'waits', 'wait')} for approval`),
      ].join(', '),
    stopped: (done: number, left: number) => formTexts.steps.stopped(done, 'decided', left),
  },
} as const;
