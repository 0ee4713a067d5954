/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */
import { CHECKOUT_CLASSES } from '@keyport/core/checkout-class';
import { LEDGER_ACCOUNT_KINDS, TRANSFER_KINDS } from '@keyport/core/ledger';
import { type Static, type TSchema, Type } from 'typebox';
import { ACCOUNT_STATUSES, PAYMENT_METHODS } from './account.ts';
import { pageEnvelope } from './envelope.ts';
import {
  AmountInput,
  Currency,
  count,
  DateTime,
  DateTimeInput,
  itemsPerPage,
  namedObject,
  nullable,
  OfferPrice,
  OrderId,
  oneOf,
  Page,
  PercentInput,
  Price,
  ProductId,
  SignedAmount,
  strictObject,
  Uuid,
  UuidInput,
} from './formats.ts';
import { CATALOGUE_DETAILS } from './offers.ts';
import { Order, OrderStatus } from './orders.ts';
import { DRY_RUN, NotWithdrawn } from './previews.ts';
import { ROLES } from './roles.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  'x-rule': 'must be a text of 1 to 500 characters, not only blanks',
});

const reasonFor = (log: string) =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: `Why, for the ${log}.`,
    'x-rule': 'must say why, in 1 to 500 characters',
  });
export const Reason = reasonFor('status log');

export const LimitsInput = strictObject({
  orderValueMax: Type.Optional(nullable(AmountInput)),
  dailySpendMax: Type.Optional(nullable(AmountInput)),
  dailyUnitsMax: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        'x-rule': 'must be a whole number from 0 to 1000000000',
      }),
    ),
  ),
});

const ACCOUNT_INPUT = {
  paymentMethod: nullable(oneOf(PAYMENT_METHODS, 'Where orders are paid from; null: nowhere yet.'), {
    'x-rule': 'must be "balance", "gateway" or null',
  }),
  gatewayCustomer: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  discountPercent: Type.Optional(PercentInput),
  holdOrders: Type.Optional(Type.Boolean({ description: 'Under review: orders are paid and then held.' })),
  sellerId: Type.Optional(nullable(UuidInput)),
  limits: Type.Optional(LimitsInput),
  balanceLowThreshold: Type.Optional(
    nullable(AmountInput, {
      description:
        'The reseller is told (`account.balance_low`) when the balance falls below it; null: never.',
    }),
  ),
};

export const AccountCreateBody = strictObject({ name: Name, ...ACCOUNT_INPUT });
export type AccountCreateBody = Static<typeof AccountCreateBody>;

export const AccountPatchBody = strictObject(
  {
    name: Type.Optional(Name),
    ...ACCOUNT_INPUT,
    paymentMethod: Type.Optional(ACCOUNT_INPUT.paymentMethod),
    status: Type.Optional(
      oneOf(ACCOUNT_STATUSES, 'suspended still reads; every request of a closed one is rejected.'),
    ),
  },
  { minProperties: 1, 'x-rule': 'must name at least one field to change' },
);
export type AccountPatchBody = Static<typeof AccountPatchBody>;

export const Account = namedObject('OperatorAccount', {
  id: Uuid,
  name: Type.String(),
  status: oneOf(ACCOUNT_STATUSES, 'Account status.'),
  paymentMethod: nullable(oneOf(PAYMENT_METHODS, 'Where orders are paid from.')),
  gatewayCustomer: nullable(Type.String()),
  balance: Price,
  discountPercent: Type.String(),
  holdOrders: Type.Boolean(),
  sellerId: nullable(Uuid),
  limits: strictObject({
    orderValueMax: nullable(Price),
    dailySpendMax: nullable(Price),
    dailyUnitsMax: nullable(Type.Integer()),
  }),
  usedToday: strictObject(
    { spend: Price, units: count('Units of its orders.') },
    { description: 'What counts towards the daily limits on this UTC day.' },
  ),
  balanceLowThreshold: nullable(Price),
  createdAt: DateTime,
});
export type Account = Static<typeof Account>;

export const PagingQuery = Type.Object({
  page: Type.Optional(Page),
  itemsPerPage: Type.Optional(itemsPerPage(100)),
});
export const AccountParams = Type.Object({ accountId: UuidInput });
export const ClientParams = Type.Object({
  clientId: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'Client id.',
    'x-rule': 'must be a client id',
  }),
});

/** Completes a sentence about a field; also used by the code that checks an address beyond its pattern. */
export const ADDRESS_RANGE_RULE =
  'must be an IPv4 or IPv6 address, or a range such as 192.0.2.0/24 or 2001:db8::/32';

export const ClientCreateBody = strictObject({ name: Type.Optional(Name) });
export const ClientCredentials = strictObject(
  { clientId: Type.String(), clientSecret: Type.String({ description: 'Shown once; keep it safe.' }) },
  { title: 'ClientCredentials' },
);
const AddressRange = Type.String({
  pattern: '^[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?$',
  description: 'IPv4 or IPv6 address, or a range of them.',
  examples: ['192.0.2.0/24'],
  'x-rule': ADDRESS_RANGE_RULE,
});
const OperatorRole = oneOf(ROLES, "What an operator's client may do.");
export const OperatorClientBody = strictObject({ name: Name, operatorRole: OperatorRole });
export const ClientPatchBody = strictObject(
  {
    allowedAddresses: Type.Optional(
      nullable(
        Type.Array(AddressRange, {
          maxItems: 100,
          description: 'Where the client may call from; an empty list or null: from everywhere.',
          'x-rule': 'must be a list of at most 100 addresses and ranges',
        }),
      ),
    ),
    operatorRole: Type.Optional(OperatorRole),
  },
  { minProperties: 1, 'x-rule': 'must name at least one field to change' },
);
export const Client = namedObject('Client', {
  clientId: Type.String(),
  accountId: nullable(Uuid),
  name: nullable(Type.String()),
  role: oneOf(['reseller', 'operator'], 'Whose client it is.'),
  operatorRole: nullable(oneOf(ROLES, "What an operator's client may do.")),
  liveSecrets: Type.Integer({ minimum: 0 }),
  allowedAddresses: Type.Array(AddressRange, {
    description: 'Where the client may call from; empty: from everywhere.',
  }),
  disabledAt: nullable(DateTime),
  createdAt: DateTime,
});

const Reference = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: "The bank's or your own reference; the same one again answers what was booked first.",
  'x-rule': 'must be a text of 1 to 200 characters',
});

export const DepositBody = strictObject({ amount: AmountInput, reference: Reference, ...DRY_RUN });
export const PayoutBody = strictObject({ amount: AmountInput, reference: Reference, ...DRY_RUN });
export const AdjustmentBody = strictObject({
  direction: oneOf(['credit', 'debit'], 'credit adds to the balance, debit takes from it.'),
  amount: AmountInput,
  reference: Reference,
  reason: { ...Reason, description: 'Why; it stays on the statement.' },
  ...DRY_RUN,
});

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

/** Which of its forms a response has is asked for with this header. */
export const StatementHeaders = Type.Object({ accept: Type.Optional(Type.String()) });

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

export const TrialBalanceQuery = Type.Object({ at: Type.Optional(DateTimeInput) });

const TOTALS = {
  debits: { ...Price, description: 'What left it.' },
  credits: { ...Price, description: 'What came to it.' },
  balance: { ...SignedAmount, description: 'Credits less debits.' },
};
export const TrialBalance = namedObject('TrialBalance', {
  at: DateTime,
  currency: Currency,
  accounts: Type.Array(
    strictObject({
      kind: oneOf(LEDGER_ACCOUNT_KINDS, "prepaid is a reseller's, the others are the house's own."),
      accountId: nullable(Uuid),
      accountName: nullable(Type.String()),
      ...TOTALS,
    }),
  ),
  totals: strictObject(TOTALS, { description: 'Debits and credits are equal, so the balance is 0.00.' }),
});
export type TrialBalance = Static<typeof TrialBalance>;

export const SellerParams = Type.Object({ sellerId: UuidInput });
export const SellerBody = strictObject({ name: Name });
export type SellerBody = Static<typeof SellerBody>;
export const Seller = namedObject('Seller', { id: Uuid, name: Type.String() });

export const ProductParams = Type.Object({ productId: ProductId });
const OPTIONAL_DETAILS = Object.fromEntries(
  Object.entries(CATALOGUE_DETAILS).map(([name, schema]) => [name, Type.Optional(schema)]),
) as {
  [Name in keyof typeof CATALOGUE_DETAILS]: ReturnType<
    typeof Type.Optional<(typeof CATALOGUE_DETAILS)[Name]>
  >;
};

export const ProductBody = strictObject({
  name: Name,
  slug: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 300,
      description: 'Made from the name when it is left out.',
      'x-rule': 'must be lower-case letters and digits joined by single hyphens',
    }),
  ),
  ...OPTIONAL_DETAILS,
  checkoutClass: oneOf(CHECKOUT_CLASSES, 'All but standard are rejected at checkout.'),
});
export type ProductBody = Static<typeof ProductBody>;

export const CatalogueProduct = namedObject('OperatorProduct', {
  id: ProductId,
  name: Type.String(),
  slug: Type.String(),
  ...CATALOGUE_DETAILS,
  checkoutClass: oneOf(CHECKOUT_CLASSES, 'How it may be sold.'),
});
export type CatalogueProduct = Static<typeof CatalogueProduct>;

export const OfferParams = Type.Object({ offerId: UuidInput });
export const OFFER_STATUSES = ['active', 'paused'] as const;
export const OfferBody = strictObject({
  productId: ProductId,
  sellerId: UuidInput,
  price: AmountInput,
  status: oneOf(OFFER_STATUSES, 'Paused offers are not sold.'),
});
export type OfferBody = Static<typeof OfferBody>;

const OFFER_CHANGE = {
  price: Type.Optional(OfferBody.properties.price),
  status: Type.Optional(OfferBody.properties.status),
};
export const OfferPatchBody = strictObject(OFFER_CHANGE, {
  minProperties: 1,
  'x-rule': 'must name at least one field to change',
});

export const CatalogueOffer = namedObject('OperatorOffer', {
  id: Uuid,
  productId: ProductId,
  sellerId: Uuid,
  price: OfferPrice,
  status: oneOf(OFFER_STATUSES, 'Paused offers are not sold.'),
  quantity: count('Units available.'),
  units: strictObject(
    {
      available: count('On sale while the offer is active; the same as `quantity`.'),
      reserved: count('Of orders that are not complete yet.'),
      sold: count('Of orders that are complete or closed.'),
      withdrawn: count('Never sold again.'),
    },
    { description: 'All units that the offer ever had, by state.' },
  ),
});

export const KEY_KINDS = ['text', 'image'] as const;
export const KEY_STATES = ['available', 'reserved', 'sold', 'withdrawn'] as const;
export const OfferKey = namedObject('OperatorKey', {
  id: Type.String(),
  kind: oneOf(KEY_KINDS, 'What the code is.'),
  state: oneOf(KEY_STATES, 'reserved and sold keys belong to an order.'),
  maskedCode: Type.String({
    description: 'The end of the code, at most its last 4 characters.',
    examples: ['…7XQ2'],
  }),
  orderId: nullable(OrderId, { description: 'The order that has the key.' }),
});
export const KeyCode = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'The product key.',
  'x-rule': 'must be a text of 1 to 4000 characters',
});
const KEY_MEMBERS = {
  code: KeyCode,
  kind: Type.Optional(oneOf(KEY_KINDS, 'text (default) or image.')),
};
export const KeysBody = strictObject({
  keys: Type.Array(strictObject(KEY_MEMBERS), {
    minItems: 1,
    maxItems: 1000,
    'x-rule': 'must be an array of 1 to 1000 keys; use an import for more',
  }),
  ...DRY_RUN,
});
export type KeysBody = Static<typeof KeysBody>;
export const KeysAdded = strictObject(
  { added: Type.Integer({ minimum: 0 }), duplicates: Type.Integer({ minimum: 0 }) },
  { title: 'KeysAdded' },
);

/** Exactly one of `quantity` and `codes` says which keys (A91). */
const WithdrawKeys = strictObject({
  reason: reasonFor('audit log'),
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'This many unsold keys, those added last first; rejected (409) when there are fewer.',
      'x-rule': 'must be a whole number from 1 to 1000000',
    }),
  ),
  kind: Type.Optional(oneOf(KEY_KINDS, 'With quantity: only keys of this kind.')),
  codes: Type.Optional(
    Type.Array(KEY_MEMBERS.code, {
      minItems: 1,
      maxItems: 1000,
      description: 'The keys with these codes, as far as they are unsold.',
      'x-rule': 'must be an array of 1 to 1000 codes',
    }),
  ),
});
export type KeysWithdrawal = Static<typeof WithdrawKeys>;
export const KeysWithdrawBody = strictObject({ ...WithdrawKeys.properties, ...DRY_RUN });

export const RestartFeedsBody = strictObject({ reason: reasonFor('audit log') });

const WITHDRAWN = {
  withdrawn: count('Keys that were taken out of stock.'),
  notWithdrawn: NotWithdrawn,
};
export const KeysWithdrawn = namedObject('KeysWithdrawn', {
  withdrawn: WITHDRAWN.withdrawn,
  quantity: count('Units of the offer that are still available.'),
  notWithdrawn: WITHDRAWN.notWithdrawn,
});

const OFFER_CHANGE_COUNT_MAX = 1000;
/** Of one request, over all its changes: keys to add, and as many to withdraw. */
export const OFFER_CHANGES_KEY_COUNT_MAX = 1000;

/** Everything that can change about an offer, at once (A135). */
export const OfferChange = strictObject(
  {
    offerId: UuidInput,
    ...OFFER_CHANGE,
    withdrawKeys: Type.Optional(WithdrawKeys),
    addKeys: Type.Optional(KeysBody.properties.keys),
  },
  { minProperties: 2, 'x-rule': 'must name at least one change besides the offerId' },
);
export type OfferChange = Static<typeof OfferChange>;

export const OfferChangesBody = strictObject({
  changes: Type.Array(OfferChange, {
    minItems: 1,
    maxItems: OFFER_CHANGE_COUNT_MAX,
    description: `Of different offers. In all they add at most ${OFFER_CHANGES_KEY_COUNT_MAX} keys, and withdraw as many.`,
    'x-rule': `must be an array of 1 to ${OFFER_CHANGE_COUNT_MAX} changes; use an import for more`,
  }),
  ...DRY_RUN,
});

export const ChangedOffer = namedObject('OperatorChangedOffer', {
  ...CatalogueOffer.properties,
  keysWithdrawn: Type.Optional(strictObject(WITHDRAWN)),
  keysAdded: Type.Optional(strictObject(KeysAdded.properties)),
});
export type ChangedOffer = Static<typeof ChangedOffer>;

/** Whether a body takes keys out of stock by quantity: repeated, it would take others (A202). */
export function withdrawsByQuantity(body: unknown): boolean {
  const { quantity, changes = [] }: { quantity?: number; changes?: OfferChange[] } = Object(body);
  return quantity !== undefined || changes.some(({ withdrawKeys }) => withdrawKeys?.quantity !== undefined);
}

/** A line of an import: the body of the matching PUT with its id (R23); of prices, which offer, and what it becomes (A470). */
export const IMPORT_LINES = {
  sellers: strictObject({ id: UuidInput, name: Name }),
  products: strictObject({ id: ProductId, ...ProductBody.properties }),
  offers: strictObject({ id: UuidInput, ...OfferBody.properties }),
  prices: strictObject({
    id: Type.Optional(UuidInput),
    productId: Type.Optional(ProductId),
    sellerId: Type.Optional(UuidInput),
    price: OfferBody.properties.price,
    status: OFFER_CHANGE.status,
  }),
  keys: strictObject({ offerId: UuidInput, ...KEY_MEMBERS }),
} as const;
export const IMPORT_KINDS = ['sellers', 'products', 'offers', 'prices', 'keys'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const ImportParams = Type.Object({ kind: oneOf(IMPORT_KINDS, 'What the lines are.') });

export const IMPORT_RUN_ID = {
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Identifies one run of an import.',
  examples: ['17'],
};
export const ImportRunParams = Type.Object({
  runId: Type.String({ ...IMPORT_RUN_ID, 'x-rule': 'must be the runId of an import' }),
});
export const ImportRestoreBody = strictObject({ reason: reasonFor('audit log') });
export const ImportUndoBody = strictObject({
  reason: reasonFor('audit log'),
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'true: nothing happens; the response says what would.',
      'x-rule': 'must be true or false',
    }),
  ),
});
export const ImportUndone = namedObject('ImportUndone', {
  runId: Type.String(IMPORT_RUN_ID),
  changedBack: count('Offers that have the price and the status of before the import.'),
  paused: count('Offers that the import added, which are paused.'),
  withdrawn: count('Keys that the import added, which are withdrawn; their codes can be added again.'),
  restored: count('Offers and keys that the import had taken off sale, which are on sale again.'),
  kept: count('Offers and keys left alone: sold, changed or withdrawn since.'),
  dryRun: Type.Boolean({ description: 'True when nothing of this was done.' }),
});
export const ImportRestored = namedObject('ImportRestored', {
  runId: Type.String(IMPORT_RUN_ID),
  removed: count('Offers or keys that the import took off sale.'),
  restored: count('Of these: back on sale, by this request or an earlier one.'),
  kept: count('Of these: left alone, because they were changed since or a later import leaves them out too.'),
});

const YES_OR_NO = ['true', 'false'] as const;
export const ImportQuery = Type.Object({
  importId: Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,100}$',
      description:
        'A name for this import, such as a hash of the file. When an import with this name did not finish, this one continues behind the last line that was kept.',
      examples: ['9f86d081884c7d65'],
      'x-rule': 'must be 1 to 100 visible ASCII characters without blanks',
    }),
  ),
  fileName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'What the file is called, for the list of imports.',
      examples: ['prices.csv'],
      'x-rule': 'must be 1 to 255 printable characters',
    }),
  ),
  dryRun: Type.Optional(oneOf(YES_OR_NO, 'true: everything is checked and counted, and nothing is kept.')),
  deleteMissing: Type.Optional(
    oneOf(
      YES_OR_NO,
      'true: what the import does not name is taken off sale after its last line. Sellers and products: the active offers of all others are paused. Offers and prices: the other active offers of the sellers of its offers are paused. Keys: the other unsold keys of the offers of its keys are withdrawn. Nothing is taken off sale when a line was rejected, when there is no line, or when much would be (see confirmRemovals).',
    ),
  ),
  confirmRemovals: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999,
      description:
        'With deleteMissing: by default, nothing is taken off sale when that would be more than 50 offers or keys and more than 20 % of those on sale. removalsToConfirm in the result has their number; send exactly this number to take them off sale.',
      'x-rule': 'must be a whole number above 0: the removalsToConfirm of an earlier result',
    }),
  ),
});

/** Which of its forms a response has is asked for with `accept`. */
export const ImportHeaders = Type.Object({
  accept: Type.Optional(Type.String()),
  'content-encoding': Type.Optional(Type.String({ description: '`gzip`, or nothing.', examples: ['gzip'] })),
});

const RejectedLine = strictObject({
  line: Type.Integer({ minimum: 1, description: 'From 1; the header row of CSV counts.' }),
  message: Type.String(),
});
const LineCount = Type.Integer({ minimum: 0 });
const IMPORT_COUNTS = {
  read: count('All lines, those that were skipped included.'),
  written: LineCount,
  unchanged: LineCount,
  rejected: LineCount,
  skipped: count('Lines that an earlier import with the same importId had done.'),
  rejectedBefore: count('Of those that were done earlier: rejected then.'),
};

export const ImportResult = namedObject('ImportResult', {
  ...IMPORT_COUNTS,
  errors: Type.Array(RejectedLine, { description: 'The first rejected lines, at most 1000.' }),
  removed: count('With deleteMissing: offers that were paused, or keys that were withdrawn.'),
  removalRefused: Type.Optional(
    Type.String({ description: 'With deleteMissing: why nothing was taken off sale.' }),
  ),
  removalsToConfirm: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'With deleteMissing: this many would be taken off sale, which needs confirmRemovals.',
    }),
  ),
  prices: Type.Optional(
    strictObject(
      {
        changed: count('Prices that differ from those before.'),
        outliers: count('Of these: more than three times the price before, or less than a third of it.'),
        largest: Type.Array(
          strictObject({
            line: Type.Integer({ minimum: 1 }),
            offerId: Uuid,
            productName: Type.String(),
            sellerName: Type.String(),
            before: Price,
            after: Price,
            isOutlier: Type.Boolean(),
          }),
          { description: 'The largest changes first, at most 100.' },
        ),
      },
      { description: 'Of an import of offers or prices: what becomes of prices, new offers apart.' },
    ),
  ),
  runId: Type.String({
    ...IMPORT_RUN_ID,
    description: 'The run: it is listed with its rejects, and removals by deleteMissing can be restored.',
  }),
  dryRun: Type.Boolean({ description: 'True when nothing of this was kept.' }),
});
export type ImportResult = Static<typeof ImportResult>;

/** Of the lines up to `line`, all of which are kept (in a dry run: checked). Counts are of this request. */
export const ImportProgress = strictObject({ line: LineCount, ...IMPORT_COUNTS });
export type ImportProgress = Static<typeof ImportProgress>;

/**
 * One line of the response to an import that asked for NDJSON. Every rejected line comes before the `committed` that
 * covers it; the last line is a `result`, or an error envelope.
 */
export const ImportEvent = Type.Union([
  strictObject({ rejected: RejectedLine }),
  strictObject({ committed: ImportProgress }),
  strictObject({ result: ImportResult }),
]);
export type ImportEvent = Static<typeof ImportEvent>;

export const AdminOrder = namedObject('OperatorOrder', { ...Order.properties, accountId: Uuid });
export type AdminOrder = Static<typeof AdminOrder>;

const StatusChange = namedObject('StatusChange', {
  from: nullable(OrderStatus, { description: 'Status before; null: it was new.' }),
  to: OrderStatus,
  at: DateTime,
  actor: Type.String({ description: 'Who: the id of a person or a client, or the service itself.' }),
  actorName: Type.Optional(Type.String({ description: 'What the person or the client is called now.' })),
  reason: Type.String(),
});

export const ListedAdminOrder = namedObject('OperatorListedOrder', {
  ...AdminOrder.properties,
  accountName: Type.String(),
  imported: Type.Boolean({
    description: 'From elsewhere: it is changed there, and every action here is 409.',
  }),
  holdReason: nullable(Type.String(), { description: 'Of an order that is held: why.' }),
  traceId: nullable(Type.String(), {
    description: 'Of the request that placed it; null: it was imported.',
  }),
  accountHistory: Type.Optional(
    strictObject(
      {
        createdAt: DateTime,
        orders: count('Orders of the account, this one included.'),
        refunded: count('Of these: refunded in full.'),
      },
      { description: 'Of an order that is held, in lists that are read by cursor.' },
    ),
  ),
});

export const AdminOrderWithLog = strictObject(
  {
    ...ListedAdminOrder.properties,
    statusLog: Type.Array(StatusChange),
    refunds: Type.Array(strictObject({ at: DateTime, amount: Price }), {
      description: 'What was booked back to the reseller, oldest first.',
    }),
  },
  { title: 'OperatorOrderWithLog' },
);

export const OrderReason = strictObject({ reason: Reason });
export const OrderActionBody = strictObject({ ...OrderReason.properties, ...DRY_RUN });
/** Id of a key of an order; not its code. */
export const KeyId = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Id of a key; not its code.',
  examples: ['1200'],
  'x-rule': 'must be the id of a key, as in the keys of the order',
});

const RefundedItem = strictObject({
  id: Type.String({ pattern: '^[0-9]{14,18}$', 'x-rule': 'must be the id of an item of the order' }),
  quantity: Type.Integer({ minimum: 1, maximum: 25, 'x-rule': 'must be a whole number from 1 to 25' }),
});
const refundedItems = <Item extends TSchema>(item: Item) =>
  Type.Optional(
    Type.Array(item, {
      minItems: 1,
      maxItems: 99,
      description: 'Left out: everything that is not refunded yet.',
    }),
  );

const SandboxRefund = {
  reason: Reason,
  items: refundedItems(RefundedItem),
  returnToStock: Type.Optional(
    Type.Boolean({
      description:
        'Units go back on sale; rejected (409) when a key of theirs was ever read. Without it, units of an order that is not delivered are withdrawn.',
    }),
  ),
  withdrawKeys: Type.Optional(
    Type.Boolean({
      description:
        'The keys of the units leave the order and are never sold again, read or not. Without it, and without returnToStock, delivered ones stay with the order and can still be read while it is complete.',
    }),
  ),
};
export const SandboxRefundBody = strictObject(SandboxRefund);

const OrderRefund = strictObject({
  ...SandboxRefund,
  items: refundedItems(
    strictObject({
      ...RefundedItem.properties,
      keyIds: Type.Optional(
        Type.Array(KeyId, {
          minItems: 1,
          maxItems: 25,
          description:
            'The keys to refund, as many as the quantity, of a delivered order. Left out: those delivered last.',
        }),
      ),
    }),
  ),
});
export type OrderRefund = Static<typeof OrderRefund>;
export const OrderRefundBody = strictObject({ ...OrderRefund.properties, ...DRY_RUN });

/** What the audit log records. */
export const AUDIT_ACTIONS = [
  'account.create',
  'account.update',
  'adjustment.create',
  'approval.approve',
  'approval.reject',
  'approval.request',
  'catalogue.restart-feeds',
  'client.create',
  'client.disable',
  'client.enable',
  'client.secret',
  'client.update',
  'deposit.create',
  'import.keys',
  'import.keys.missing',
  'import.keys.restore',
  'import.keys.undo',
  'import.offers',
  'import.offers.missing',
  'import.offers.restore',
  'import.offers.undo',
  'import.prices',
  'import.prices.missing',
  'import.prices.restore',
  'import.prices.undo',
  'import.products',
  'import.products.missing',
  'import.products.restore',
  'import.sellers',
  'import.sellers.missing',
  'import.sellers.restore',
  'keys.add',
  'keys.find',
  'keys.read',
  'keys.withdraw',
  'master-key.rotate',
  'offer.put',
  'offer.update',
  'operator.create',
  'operator.invite',
  'operator.oidc.link',
  'operator.passkey.add',
  'operator.passkey.remove',
  'operator.password',
  'operator.reset-credentials',
  'operator.sign-in',
  'operator.sign-in.failed',
  'operator.sign-out',
  'operator.sign-out-everywhere',
  'operator.update',
  'order.advance',
  'order.cancel',
  'order.hold',
  'order.refund',
  'order.release',
  'order.replace-key',
  'order.settle',
  'payment.retry',
  'payout.create',
  'product.put',
  'seller.put',
  'webhook.create',
  'webhook.delete',
  'webhook.redeliver',
  'webhook.rotate-secret',
  'webhook.update',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AuditEntry = namedObject('AuditEntry', {
  id: Type.String(),
  at: DateTime,
  clientId: Type.String({ description: 'A client, or a person.' }),
  name: Type.Optional(Type.String({ description: 'What the person or the client is called now.' })),
  role: Type.Optional(Type.String({ description: 'The role of the operator at that time.' })),
  address: Type.Optional(Type.String({ description: 'Where an operator called from.' })),
  action: Type.String({ examples: ['keys.read', 'order.refund'] }),
  accountId: Type.Optional(Uuid),
  orderId: Type.Optional(OrderId),
  traceId: Type.Optional(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
});

export const VerifyQuery = Type.Object({
  only: Type.Optional(
    Type.String({
      pattern: '^I[1-9][0-9]{0,2}(,I[1-9][0-9]{0,2})*$',
      maxLength: 1000,
      'x-rule': 'must be numbers of invariants with commas between them, such as I12,I24',
      examples: ['I12,I24'],
    }),
  ),
});

const Anchor = {
  pattern: '^[1-9][0-9]{0,14}:[0-9a-f]{64}$',
  description: 'A position of the audit log and its hash.',
};
export const AuditVerifyQuery = Type.Object({
  anchor: Type.Optional(
    Type.String({
      ...Anchor,
      description: 'What an earlier check answered as head: it must still be found.',
      'x-rule': 'must be a number, a colon and 64 hexadecimal digits',
    }),
  ),
});
export const AuditCheck = namedObject('AuditCheck', {
  checked: count('Entries looked at.'),
  broken: Type.Integer({ minimum: 0 }),
  examples: Type.Array(Type.String(), { description: 'The first things that are wrong.' }),
  head: nullable(Type.String(Anchor), {
    description: 'To be noted down elsewhere, as anchor of a later check.',
  }),
});
export type AuditCheck = Static<typeof AuditCheck>;

const Count = Type.Integer({ minimum: 0 });
const Seconds = Type.Number({ minimum: 0 });

export const SystemInfo = namedObject('SystemInfo', {
  version: Type.String({ examples: ['0.3.0'] }),
  mode: oneOf(['sandbox', 'live'], 'Whether it sells in earnest.'),
  publicUrl: Type.String(),
  database: strictObject({
    kind: oneOf(['embedded', 'postgres'], 'embedded: in the process of the service.'),
    version: Type.String({ description: 'Of PostgreSQL.', examples: ['18.1'] }),
    migrations: Type.Array(Type.String(), { description: 'Those that were applied.' }),
  }),
  nodes: Type.Array(
    strictObject({ id: Uuid, version: Type.String(), startedAt: DateTime, seenAt: DateTime }),
    { description: 'Processes of the service that use this database, as far as they were seen within 35 s.' },
  ),
  settings: Type.Array(
    strictObject({
      name: Type.String({ examples: ['KEYPORT_KEYS_WINDOW_HOURS'] }),
      value: nullable(Type.String(), { description: 'What is in force; null: nothing, or a secret.' }),
      source: oneOf(['default', 'environment', 'file'], 'Where it is from; environment and file: it is set.'),
      isSecret: Type.Boolean(),
      description: Type.String(),
    }),
  ),
  lag: strictObject(
    {
      catalogueSeconds: nullable(Seconds),
      eventsSeconds: Seconds,
      webhooksSeconds: Seconds,
      auditSeconds: Seconds,
      archiveSeconds: nullable(Seconds),
    },
    {
      description:
        'Age of the oldest change that is not done yet, 0 without one: not in the catalogue in memory, not an event, without deliveries, not in the chain of the audit log; of the archive, since when it fails. Null: not known.',
    },
  ),
  masterKeys: strictObject({
    keys: Type.Array(
      strictObject({
        id: Type.String(),
        isInFile: Type.Boolean({ description: 'In the key file of the node that answers.' }),
        isCurrent: Type.Boolean({ description: 'New secrets are wrapped with it.' }),
        wrapped: count('Secrets under it.'),
        nodes: count('Nodes that hold it.'),
      }),
    ),
    unnamed: count('Secrets from before master keys had ids.'),
    runningNodes: Count,
  }),
  lastVerification: nullable(
    strictObject({
      finishedAt: DateTime,
      durationMs: count('At work, without the rests in between.'),
      checked: count('Rows looked at.'),
      invariants: Type.Array(
        strictObject({
          id: Type.String({ examples: ['I3'] }),
          title: Type.String(),
          broken: nullable(count('Broken rows.'), { description: 'Null: the check took too long.' }),
          brokenSince: nullable(DateTime),
        }),
      ),
      broken: Type.Array(Type.String(), { description: 'Numbers of broken invariants.' }),
      unchecked: Type.Array(Type.String(), { description: 'Those whose check took too long.' }),
    }),
    { description: 'The last periodic check; null: none yet, or none configured.' },
  ),
});
export type SystemInfo = Static<typeof SystemInfo>;

export const InvariantResult = namedObject('InvariantResult', {
  id: Type.String({ examples: ['I3'] }),
  title: Type.String(),
  checked: count('Rows looked at.'),
  broken: Type.Integer({ minimum: 0 }),
  examples: Type.Array(Type.String(), { description: 'The first broken rows.' }),
});
