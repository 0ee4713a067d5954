/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */

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
  kind: oneOf(TRANSFER_KINDS, 'What the line is.'),
  amount: SignedAmount,
  balance: Price,
  orderId: Type.Optional(OrderId),
  reference: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'Of an adjustment.' })),
});

export type StatementLine = Static<typeof StatementLine>;

export const StatementQuery = Type.Object({
  createdAtFrom: Type.Optional(DateTimeInput),
  createdAtTo: Type.Optional(DateTimeInput),
  sort: Type.Optional(oneOf(['ASC', 'DESC'], 'ASC oldest first (default), DESC newest first; not of CSV.')),
  ...PagingQuery.properties,
});

/** Of the whole range, whatever the page. */
export const StatementSummary = namedObject('StatementSummary', {
  currency: Currency,
  createdAtFrom: nullable(DateTime),
  createdAtTo: nullable(DateTime),
  openingBalance: Price,
  closingBalance: Price,
  sums: Type.Object(
    {
      deposit: SignedAmount,
      charge: SignedAmount,
      refund: SignedAmount,
      adjustment: SignedAmount,
      payout: SignedAmount,
    },
    {
      additionalProperties: false,
      description:
        'By kind; below 0 it left the account. With the opening balance they make the closing balance.',
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
