import { common, formatCount } from '../texts.ts';

export const texts = {
  noChoice: 'No match.',
  action: {
    reasonHint: `Required. Recorded in the audit log, which other operators can read. ${common.noKeys}`,
    preview: 'What happens',
    noPreview: 'The service cannot be reached, so it is not known what would happen. Nothing was sent.',
    previewLoading: 'Calculating …',
    typeAmount: (amount: string) => `Type ${amount} to confirm`,
    changed: 'The data changed while the form was open. Check the new preview; your entries are kept.',
    changedTo: (value: string) =>
      `Someone changed this to “${value}” while the form was open. Save again to replace it.`,
    unknown:
      'No response arrived, so it is unknown whether this took effect. Retry: it takes effect only once.',
    beginAgain: 'I have checked that it did not take effect: begin again',
    restored: 'These entries are from before the page was loaded again.',
    discard: 'Discard them',
    amountUnclear: (typed: string, whole: string, rest: string) =>
      `${typed} could be ${whole}${rest} or ${whole}.${rest.slice(0, 2)}. Enter one of these.`,
    entry: (place: number) => `Entry ${place}`,
    approval: (amount: string) => `Request approval of ${amount}`,
    approvalAsked: (amount: string) => `Approval of ${amount} requested`,
    openRequests: 'Review this first: what you do here may make it impossible.',
    anyway: (submit: string) => `${submit} anyway`,
    approvalNeeded: (limit: string) =>
      `With this, more than ${limit} are booked in 24 hours, so another operator must approve it.`,
  },
  secret: {
    once: 'Copy it now: it is not shown again.',
    stored: 'I have copied it',
    copyBoth: 'Copy both for an env file',
    download: 'Download env file',
    file: 'keyport.env',
  },
  steps: {
    checked: (done: number, all: number) => `Checked ${formatCount(done)} of ${formatCount(all)} …`,
    done: (done: number, all: number) => `${formatCount(done)} of ${formatCount(all)} done …`,
    stop: 'Stop',
    stopping: 'Stopping …',
    leave: 'The action is still running. Leave the page and stop it? What has been done stays done.',
    stopped: (done: number, verb: string, left: number) =>
      `${formatCount(done)} ${verb}, ${formatCount(left)} not; they stay selected.`,
  },
  preview: {
    amount: 'To the reseller',
    amounts: { deposit: 'Paid in', payout: 'Paid out to the reseller', adjustment: 'Correction' },
    balance: 'Balance of the account',
    stock: (offer: string) => `On sale in offer ${offer}`,
    nothing: 'No money or stock moves.',
    booked:
      'This reference was already booked with this amount, so nothing would be booked now. See the statement.',
  },
} as const;
