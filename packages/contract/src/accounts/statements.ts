import { TRANSFER_KINDS } from '@keyport/core/ledger';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY, pageEnvelope } from '../envelope.ts';
import {
  Currency,
  DateTime,
  DateTimeInput,
  namedObject,
  nullable,
  OrderId,
  oneOf,
  Price,
  SignedAmount,
  strictObject,
  Uuid,
} from '../formats.ts';
import { PagingQuery, search } from '../lists.ts';

export const StatementLine = namedObject('StatementLine', {
  id: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'Counts the lines of the account, without a gap.' }),
  createdAt: DateTime,
  kind: oneOf(TRANSFER_KINDS, 'The kind of movement.'),
  amount: SignedAmount,
  balance: Price,
  orderId: Type.Optional(OrderId),
  reference: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'Only for an adjustment.' })),
});
export type StatementLine = Static<typeof StatementLine>;

export const StatementQuery = Type.Object({
  createdAtFrom: Type.Optional(DateTimeInput),
  createdAtTo: Type.Optional(DateTimeInput),
  sort: Type.Optional(
    oneOf(['ASC', 'DESC'], 'ASC oldest first (default), DESC newest first; not used for CSV.'),
  ),
  ...PagingQuery.properties,
});

/** It covers the whole range, on every page. */
export const StatementSummary = namedObject('StatementSummary', {
  currency: Currency,
  createdAtFrom: nullable(DateTime),
  createdAtTo: nullable(DateTime),
  openingBalance: Price,
  closingBalance: Price,
  sums: strictObject(
    {
      deposit: SignedAmount,
      charge: SignedAmount,
      refund: SignedAmount,
      adjustment: SignedAmount,
      payout: SignedAmount,
    },
    {
      description:
        'By kind; below 0 it left the account. With the opening balance they add up to the closing balance.',
    },
  ),
});
export type StatementSummary = Static<typeof StatementSummary>;

export const StatementPage = strictObject({
  ...pageEnvelope(StatementLine).properties,
  summary: StatementSummary,
});

export const StatementsQuery = Type.Object({
  from: Type.Optional(DateTimeInput),
  to: Type.Optional(DateTimeInput),
  query: search("Words of the account's name or its gateway customer, or an id."),
  ...CURSOR_QUERY,
});
export const AccountStatement = namedObject('AccountStatement', {
  accountId: Uuid,
  accountName: Type.String(),
  ...StatementSummary.properties,
});
