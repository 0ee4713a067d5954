import { Type } from 'typebox';
import { AmountInput, oneOf, Reason, strictObject } from '../formats.ts';
import { DRY_RUN } from '../operators/previews.ts';

const Reference = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: "The bank's or your own reference. A duplicate returns the first booking.",
  'x-rule': 'must be a text of 1 to 200 characters',
});

export const DepositOrPayoutBody = strictObject({ amount: AmountInput, reference: Reference, ...DRY_RUN });
export const AdjustmentBody = strictObject({
  direction: oneOf(['credit', 'debit'], 'credit adds to the balance, debit takes from it.'),
  amount: AmountInput,
  reference: Reference,
  reason: { ...Reason, description: 'Why; it stays on the statement.' },
  ...DRY_RUN,
});
