import { plural } from '../texts.ts';

export const texts = {
  title: (id: string) => `Claim ${id.slice(0, 12)}`,
  id: 'Claim id',
  statuses: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn' },
  choices: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn', all: 'All' },
  outcomes: { replaced: 'Replaced', refunded: 'Refunded', rejected: 'Rejected', none: 'Not decided' },
  search: 'Search claims',
  words: 'Id, account, seller or product',
  empty: 'No claims are waiting for a decision.',
  keysTitle: 'Keys',
  keys: (count: number) => plural(count, 'key'),
  report: 'Report',
  message: 'Message from the reseller',
  answer: 'Message to the reseller',
  answerHint: 'Optional. The reseller reads it with the decision.',
  decidedAt: 'Decided',
  available: 'Replacement keys',
  rate: (claims: number, units: number) => `${plural(claims, 'claim')}, ${plural(units, 'unit')} sold`,
  delivered: 'Delivered',
  readBy: (name: string, address: string | null) =>
    `Read by ${name}${address === null ? '' : ` from ${address}`}`,
  decide: 'Decide',
  decideTitle: (reason: string) => `Decide the claim: ${reason}`,
  decisions: { replace: 'Replace', refund: 'Refund', reject: 'Reject' },
  submit: (decision: 'replace' | 'refund' | 'reject' | undefined, count: number) =>
    `${decision === undefined ? 'Decide' : texts.decisions[decision]} ${plural(count, 'key')}`,
  keyOf: (masked: string) => `Key ${masked}`,
  done: 'Claim decided',
} as const;
