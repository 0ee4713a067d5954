import { TRANSFER_KINDS } from '@keyport/core/ledger';
import { type Static, Type } from 'typebox';
import {
  CURSOR_QUERY,
  CURSOR_RULE,
  CursorMeta,
  cursorQuery,
  FILE_QUERY,
  listEnvelope,
  pageEnvelope,
} from '../envelope.ts';
import {
  AmountInput,
  Currency,
  DateTime,
  DateTimeInput,
  OrderId,
  Price,
  Reason,
  SignedAmount,
  Uuid,
} from '../formats.ts';
import { PagingQuery, search } from '../lists.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { ClaimId } from '../orders/claims.ts';
import { filledText, namedObject, nullable, oneOf, strictObject, toMembers, toQuery } from '../schema.ts';

const LINE = {
  id: Type.String(),
  createdAt: DateTime,
  kind: oneOf(TRANSFER_KINDS, 'The kind of movement.'),
  amount: SignedAmount,
  balance: { ...Price, description: 'The balance after this line.' },
  orderId: Type.Optional(OrderId),
  claimId: Type.Optional({ ...ClaimId, description: 'The claim that was refunded.' }),
  reference: Type.Optional(Type.String({ description: 'The reference of the order or of the booking.' })),
};

export const OwnStatementLine = namedObject('StatementLine', LINE);

export const OwnStatementQuery = toQuery({
  from: { ...DateTimeInput, description: 'Start of the range, inclusive.' },
  to: { ...DateTimeInput, description: 'End of the range, exclusive.' },
  ...cursorQuery(CURSOR_RULE),
  ...FILE_QUERY,
});

export const OwnStatement = listEnvelope(
  Type.Array(OwnStatementLine),
  namedObject('StatementMeta', {
    ...CursorMeta.properties,
    opening: { ...Price, description: 'The balance before the range.' },
    closing: {
      ...Price,
      description:
        'The balance at the end of the range. Later pages keep this balance and leave out later movements.',
    },
  }),
);

export const StatementLine = namedObject('OperatorStatementLine', {
  ...LINE,
  number: Type.Integer({
    minimum: 1,
    description: 'The position of the line among all lines of the account, without gaps.',
  }),
  reason: Type.Optional(Type.String({ description: 'Only for an adjustment.' })),
});
export type StatementLine = Static<typeof StatementLine>;

export const StatementQuery = toQuery({
  createdAtFrom: DateTimeInput,
  createdAtTo: DateTimeInput,
  sort: oneOf(['ASC', 'DESC'], 'ASC: oldest first (default); DESC: newest first. Ignored for CSV.'),
  ...PagingQuery.properties,
  ...FILE_QUERY,
});

export const StatementSummary = namedObject('StatementSummary', {
  currency: Currency,
  createdAtFrom: nullable(DateTime),
  createdAtTo: nullable(DateTime),
  openingBalance: Price,
  closingBalance: Price,
  sums: strictObject(toMembers(TRANSFER_KINDS, SignedAmount), {
    description:
      'Sums by kind; below 0: money left the account. The opening balance and the sums add up to the closing balance.',
  }),
});
export type StatementSummary = Static<typeof StatementSummary>;

export const StatementPage = strictObject({
  ...pageEnvelope(StatementLine).properties,
  summary: StatementSummary,
});

export const StatementsQuery = toQuery({
  from: DateTimeInput,
  to: DateTimeInput,
  query: search("Words from the account's name or gateway customer, or an id."),
  ...CURSOR_QUERY,
});
export const AccountStatement = namedObject('AccountStatement', {
  accountId: Uuid,
  accountName: Type.String(),
  ...StatementSummary.properties,
});

/** Texts that look the same are equal, so that none is booked twice: `format` rejects all but one of them. */
const Reference = filledText(200, {
  pattern: '^\\S(.*\\S)?$',
  format: 'unambiguous',
  description: "The bank's reference or your own. A duplicate returns the first booking.",
  'x-rule':
    'must be text of 1 to 200 characters without invisible characters, with single spaces between words only, in the Unicode form NFC',
});

export const DepositOrPayoutBody = strictObject({ amount: AmountInput, reference: Reference, ...DRY_RUN });
export const AdjustmentBody = strictObject({
  direction: oneOf(['credit', 'debit'], 'credit: adds to the balance; debit: subtracts from it.'),
  amount: AmountInput,
  reference: Reference,
  reason: { ...Reason, description: 'The reason; it appears on the statement.' },
  ...DRY_RUN,
});
