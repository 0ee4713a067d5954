/**
 * The columns of lists, by operation. The console shows them in this order, and the command prints them under their
 * names. CSV files have every member of an element instead (`list-csv.ts`).
 */
import { AUDIT_ACTIONS } from './operators/audit-actions.ts';

export type ListColumn = {
  /** The heading in the console. */
  readonly label: string;
  /** Numbers, amounts and times are right-aligned. An account, order or seller is a link. */
  readonly format?:
    | 'text'
    | 'code'
    | 'id'
    | 'count'
    | 'percent'
    | 'money'
    | 'time'
    | 'account'
    | 'order'
    | 'seller';
  /**
   * Members with dots between them, by default the column's name. The values of an array's elements share a cell;
   * `last` is the last element.
   */
  readonly path?: string;
  /** People read the label in place of the value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Narrow screens hide minor columns. Extra ones are hidden until the operator chooses them. */
  readonly importance?: 'minor' | 'extra';
  /** Wraps, because long values differ only at their ends. */
  readonly isWide?: true;
  /** The service sums the column's amounts when it counts the list's matches. */
  readonly isSummed?: true;
  /** Whether the list can be sorted by the column's name; or the values of `sort` for both directions. */
  readonly sort?: true | readonly [rising: string, falling: string];
};

const ACCOUNT = { label: 'Account', format: 'account' } as const;
const AMOUNT = { label: 'Amount', format: 'money' } as const;
const CREATED = { label: 'Created', format: 'time' } as const;
const ORDER = { label: 'Order', format: 'order' } as const;
const SELLER = { label: 'Seller', format: 'seller' } as const;
const STATUS = { label: 'Status' } as const;
const TRACE = { label: 'Trace id', format: 'id', importance: 'extra' } as const;
const BY_AGE = ['ASC', 'DESC'] as const;

const id = (label: string) => ({ label, format: 'id', importance: 'extra' }) as const;

const CLIENT_STATE = {
  liveSecrets: { label: 'Secrets', format: 'count' },
  allowedAddresses: { label: 'Allowed addresses', importance: 'minor' },
  createdAt: { ...CREATED, importance: 'minor' },
} as const;

const SUMS = {
  deposit: { label: 'Deposits', format: 'money', path: 'sums.deposit' },
  charge: { label: 'Charges', format: 'money', path: 'sums.charge' },
  refund: { label: 'Refunds', format: 'money', path: 'sums.refund' },
  adjustment: { label: 'Corrections', format: 'money', path: 'sums.adjustment', importance: 'minor' },
  payout: { label: 'Payouts', format: 'money', path: 'sums.payout', importance: 'minor' },
} as const;

export const LIST_COLUMNS = {
  getDailyBooks: {
    date: { label: 'UTC day' },
    deposits: { label: 'Deposits', format: 'money' },
    charges: { label: 'Charges', format: 'money' },
    refunds: { label: 'Refunds', format: 'money' },
    adjustments: { label: 'Corrections', format: 'money', importance: 'minor' },
    payouts: { label: 'Payouts', format: 'money', importance: 'minor' },
    prepaidBalance: { label: 'Prepaid balance', format: 'money' },
  },
  getOwnStatement: {
    createdAt: { label: 'Time', format: 'time' },
    kind: { label: 'Kind' },
    orderId: { label: 'Order or reference' },
    amount: AMOUNT,
    balance: { label: 'Balance after', format: 'money' },
  },
  getSellerSales: {
    sellerName: { label: 'Seller' },
    sellerId: { label: 'Seller id', format: 'id', importance: 'minor' },
    orders: { label: 'Orders', format: 'count', importance: 'minor' },
    turnover: { label: 'Turnover', format: 'money' },
    refunds: { label: 'Refunds', format: 'money' },
    net: { label: 'Net', format: 'money' },
  },
  getStatement: {
    number: { label: 'No.', importance: 'minor' },
    createdAt: { label: 'Time', format: 'time' },
    kind: { label: 'Kind' },
    orderId: { label: 'Order or reference' },
    reference: { label: 'Reference', importance: 'extra' },
    reason: { label: 'Reason', importance: 'extra' },
    amount: AMOUNT,
    balance: { label: 'Balance after', format: 'money' },
  },
  getTrialBalance: {
    kind: { label: 'Ledger account' },
    accountName: ACCOUNT,
    debits: { label: 'Debits', format: 'money', importance: 'minor' },
    credits: { label: 'Credits', format: 'money', importance: 'minor' },
    balance: { label: 'Balance', format: 'money' },
  },
  listAccountMembers: {
    id: id('Member id'),
    name: { label: 'Name' },
    email: { label: 'Email' },
    role: { label: 'Role' },
    status: STATUS,
    lastSeenAt: { label: 'Last seen', format: 'time', importance: 'minor' },
  },
  listAccountRequests: {
    path: { label: 'Request' },
    method: { label: 'Method', importance: 'extra' },
    status: STATUS,
    code: { label: 'Error code', importance: 'extra' },
    clientId: { label: 'Client', format: 'code', importance: 'minor' },
    memberId: { label: 'Member', format: 'code', importance: 'extra' },
    orderId: { ...ORDER, importance: 'extra' },
    traceId: TRACE,
    durationMs: { label: 'Duration', format: 'count', importance: 'minor' },
    at: { label: 'Time', format: 'time' },
  },
  listAccountWebhookDeliveries: {
    eventId: id('Event id'),
    type: { label: 'Event' },
    orderId: ORDER,
    status: STATUS,
    outcome: { label: 'Outcome', path: 'attempts.last.error' },
    attempts: { label: 'Attempts', path: 'attempts.statusCode', format: 'count', importance: 'minor' },
    lastAttemptAt: { label: 'Last attempt', path: 'attempts.last.at', format: 'time' },
    nextAttemptAt: { label: 'Next attempt', format: 'time', importance: 'extra' },
  },
  listAccountWebhookEndpoints: {
    id: id('Endpoint id'),
    url: { label: 'URL' },
    status: STATUS,
    types: { label: 'Events' },
    disabledReason: { label: 'Disabled because', importance: 'extra' },
    failingSince: { label: 'Failing since', format: 'time', importance: 'extra' },
    createdAt: { ...CREATED, importance: 'minor' },
  },
  listAccounts: {
    id: id('Account id'),
    name: { label: 'Account', sort: true },
    status: STATUS,
    paymentMethod: { label: 'Pays by', importance: 'minor' },
    discountPercent: { label: 'Discount', format: 'percent', importance: 'minor' },
    balance: { label: 'Balance', format: 'money' },
    createdAt: { ...CREATED, sort: true },
  },
  listAllClaims: {
    id: id('Claim id'),
    reason: { label: 'Reason' },
    productName: { label: 'Product', isWide: true },
    keys: { label: 'Keys', path: 'keys.masked', format: 'count' },
    status: STATUS,
    accountName: ACCOUNT,
    sellerName: SELLER,
    orderId: { ...ORDER, importance: 'minor' },
    createdAt: { label: 'Since', format: 'time' },
  },
  listAllClients: {
    clientId: { label: 'Client id' },
    name: { label: 'Name' },
    role: { label: 'Role' },
    disabledAt: { label: 'Disabled', format: 'time' },
    access: { label: 'Access', importance: 'minor' },
    accountName: ACCOUNT,
    ...CLIENT_STATE,
  },
  listAllOrders: {
    id: ORDER,
    status: STATUS,
    accountName: { label: 'Account' },
    product: { label: 'Product', path: 'transactions.items.product.name', isWide: true },
    quantity: {
      label: 'Units',
      path: 'transactions.items.quantity.ordered',
      format: 'count',
      importance: 'minor',
    },
    totalPrice: { label: 'Total', format: 'money', isSummed: true, sort: ['total', '-total'] },
    currency: { label: 'Currency', importance: 'extra' },
    seller: { label: 'Seller', path: 'transactions.seller.name', importance: 'extra' },
    reference: { label: 'Reference', importance: 'extra' },
    holdReason: { label: 'Held because', importance: 'extra' },
    createdAt: { ...CREATED, sort: BY_AGE },
  },
  listAllReservations: {
    id: { label: 'Reservation id', format: 'id' },
    status: { ...STATUS, importance: 'extra' },
    accountName: { ...ACCOUNT, importance: 'extra' },
    productId: { label: 'Product', path: 'item.productId', format: 'code' },
    quantity: { label: 'Units', path: 'item.quantity', format: 'count' },
    totalPrice: { label: 'Total', format: 'money' },
    orderId: { ...ORDER, importance: 'extra' },
    createdAt: { ...CREATED, importance: 'minor' },
    expiresAt: { label: 'Expires', format: 'time' },
  },
  listAllWebhookEndpoints: {
    id: id('Endpoint id'),
    url: { label: 'URL' },
    status: STATUS,
    disabledReason: { label: 'Disabled because', importance: 'extra' },
    accountName: { ...ACCOUNT, importance: 'minor' },
    pendingDeliveries: { label: 'Waiting', format: 'count' },
    failedDeliveries: { label: 'Failed', format: 'count' },
  },
  listApprovals: {
    id: id('Approval id'),
    operation: { label: 'Request' },
    amount: { ...AMOUNT, isSummed: true },
    status: STATUS,
    accountId: { label: 'About', importance: 'minor' },
    orderId: { ...ORDER, importance: 'extra' },
    requestedBy: { label: 'Requested by' },
    reason: { label: 'Reason', importance: 'minor' },
    requestedAt: { label: 'Requested', format: 'time' },
  },
  listAudit: {
    at: { label: 'Time', format: 'time', sort: BY_AGE },
    clientId: { label: 'Who' },
    memberId: id('Member id'),
    action: { label: 'Action', labels: AUDIT_ACTIONS },
    accountId: { label: 'Account id', format: 'id', importance: 'extra' },
    orderId: { label: 'About' },
    amount: { ...AMOUNT, path: 'data.amount' },
    data: { label: 'Details', importance: 'minor' },
  },
  listCatalogueProducts: {
    name: { label: 'Product', isWide: true, sort: true },
    checkoutClass: { label: 'Class', importance: 'minor' },
    activeOffers: { label: 'Active offers', format: 'count', importance: 'minor' },
    quantity: { label: 'Units', format: 'count' },
    minPrice: { label: 'From', format: 'money' },
    id: { label: 'Product id', format: 'code', importance: 'minor', sort: true },
  },
  listClaims: {
    id: id('Claim id'),
    reason: { label: 'Reason' },
    keys: { label: 'Keys', path: 'keys.masked', format: 'count' },
    status: STATUS,
    orderId: ORDER,
    createdAt: { label: 'Since', format: 'time' },
  },
  listClients: {
    clientId: { label: 'Client id' },
    name: { label: 'Name' },
    disabledAt: STATUS,
    access: { label: 'Access', importance: 'minor' },
    ...CLIENT_STATE,
  },
  listImportRejects: {
    line: { label: 'Line' },
    message: { label: 'Why' },
  },
  listImports: {
    id: id('Import id'),
    kind: { label: 'Content' },
    dryRun: { label: 'Check', importance: 'extra' },
    state: STATUS,
    undoneAt: { label: 'Undone', format: 'time', importance: 'extra' },
    read: { label: 'Lines', format: 'count', importance: 'minor' },
    written: { label: 'Changed', format: 'count' },
    rejected: { label: 'Rejected', format: 'count' },
    removed: { label: 'Taken off sale', format: 'count', importance: 'extra' },
    fileName: { label: 'File', importance: 'minor' },
    name: { label: 'By', importance: 'minor' },
    startedAt: { label: 'Started', format: 'time', sort: true },
  },
  listIncidents: {
    title: { label: 'What happened' },
    kind: { label: 'Kind' },
    beganAt: { label: 'Began', format: 'time', sort: true },
    endedAt: { label: 'Ended', format: 'time' },
  },
  listOfferKeys: {
    id: id('Key id'),
    maskedCode: { label: 'Key', format: 'code' },
    state: STATUS,
    kind: { label: 'Kind', importance: 'minor' },
    orderId: ORDER,
  },
  listOffers: {
    id: id('Offer id'),
    productName: { label: 'Product', isWide: true },
    productId: { label: 'Product id', format: 'code', importance: 'extra' },
    status: STATUS,
    sellerName: SELLER,
    quantity: { label: 'Units', format: 'count' },
    price: { label: 'Price', format: 'money' },
  },
  listOperators: {
    id: id('Operator id'),
    name: { label: 'Name' },
    email: { label: 'Email', importance: 'minor' },
    role: { label: 'Role' },
    status: STATUS,
    lastSeenAt: { label: 'Last seen', format: 'time', importance: 'minor' },
  },
  listOrderKeys: {
    id: id('Key id'),
    state: STATUS,
    maskedCode: { label: 'Key', format: 'code' },
    readAt: { label: 'Read', format: 'time' },
    refundedAt: { label: 'Refunded', format: 'time' },
    refundedAs: { label: 'Refunded as' },
    replacedBy: { label: 'Replaced by', format: 'id' },
  },
  listOrders: {
    id: ORDER,
    status: STATUS,
    product: { label: 'Product', path: 'transactions.items.product.name', isWide: true },
    reference: { label: 'Reference' },
    quantity: { label: 'Units', path: 'transactions.items.quantity.ordered', format: 'count' },
    totalPrice: { label: 'Total', format: 'money' },
    createdAt: { ...CREATED, sort: BY_AGE },
  },
  listPayments: {
    id: id('Payment id'),
    orderId: ORDER,
    kind: { label: 'Kind' },
    amount: { ...AMOUNT, isSummed: true },
    providerState: { label: 'Reason' },
    lastError: { label: 'Last error', importance: 'extra' },
    accountName: ACCOUNT,
    orderStatus: { label: 'Order status', importance: 'minor' },
    reference: { label: 'Reference', importance: 'minor' },
    nextAttemptAt: { label: 'Next attempt', format: 'time', importance: 'extra' },
    createdAt: { label: 'Since', format: 'time' },
  },
  listProductOffers: {
    name: { label: 'Product', isWide: true },
    totalQuantity: { label: 'Units', format: 'count' },
    minPrice: { label: 'From', format: 'money' },
    id: { label: 'Product id', format: 'code', importance: 'extra' },
  },
  listRejections: {
    accountName: { label: 'Account' },
    productName: { label: 'Requested' },
    quantity: { label: 'Units', format: 'count', importance: 'extra' },
    code: { label: 'Response to the reseller' },
    message: { label: 'Message', importance: 'extra' },
    idempotencyKey: { label: 'Idempotency key', format: 'id', importance: 'minor' },
    rejectedAt: { label: 'Time', format: 'time', sort: true },
  },
  listReservations: {
    id: { label: 'Reservation id', format: 'id' },
    status: STATUS,
    productId: { label: 'Product', path: 'item.productId', format: 'code', isWide: true },
    quantity: { label: 'Units', path: 'item.quantity', format: 'count', importance: 'minor' },
    totalPrice: { label: 'Total', format: 'money' },
    orderId: { ...ORDER, importance: 'minor' },
    expiresAt: { label: 'Expires', format: 'time' },
  },
  listSellers: {
    name: { label: 'Seller', sort: true },
    id: { label: 'Seller id', format: 'id', importance: 'minor' },
  },
  listStatements: {
    accountId: id('Account id'),
    accountName: ACCOUNT,
    openingBalance: { label: 'Before', format: 'money', importance: 'minor' },
    ...SUMS,
    closingBalance: { label: 'After', format: 'money' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ListColumn>>>>;

export type ListName = keyof typeof LIST_COLUMNS;

/** The values at a path of members: several if it leads through an array, none if they are missing or null. */
export function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && name === 'last') return valuesAt(value.at(-1), rest);
  if (Array.isArray(value))
    return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  return valuesAt((value as Readonly<Record<string, unknown>>)[name], rest);
}
