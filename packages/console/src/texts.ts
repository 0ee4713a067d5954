/** Texts that several features or all pages share. The other texts of a feature are in its own `texts.ts`. */

import { currentPreferences } from './preferences.ts';

/** The person's locale, which numbers and amounts follow. */
export const LOCALE = toLocale(currentPreferences().locale || navigator.language);

/** English, as the pages are, in the order of the person's region. */
export const DATE_LOCALE = `en-${new Intl.Locale(LOCALE).maximize().region ?? 'GB'}`;

export const formatCount = (count: number) => count.toLocaleString(LOCALE);

/** Cached by options, because creating a format takes the browser a millisecond. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Formats the string itself, with all its decimals, so the amount stays exact. */
const wholes = new Map<string, boolean>();

/** Whether amounts of the currency have no decimals, such as yen. */
function isWhole(currency: string): boolean {
  const known =
    wholes.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ===
      0;
  wholes.set(currency, known);
  return known;
}

export function formatMoney(amount: string, currency = 'EUR'): string {
  const [, fraction = ''] = amount.split('.');
  const decimals = isWhole(currency) && /^0*$/.test(fraction) ? 0 : Math.max(2, fraction.length);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const key = `${currency} ${decimals}`;
  const format =
    moneyFormats.get(key) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...digits });
  moneyFormats.set(key, format);
  return format.format(amount as `${number}`);
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name from outside, for a sentence that can only be text: an Arabic or Hebrew name would reorder what follows. Other names
 * stay as they are, so that no one copies invisible characters. In elements, `Isolated` does the same.
 */
export const isolated = (name: string) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

const NAMED_MAX = 5;

/** The first names, with their number if there are more. */
export const toNames = (names: readonly string[]) =>
  names.length > NAMED_MAX
    ? `${formatCount(names.length)}: ${names.slice(0, NAMED_MAX).map(isolated).join(', ')} …`
    : names.map(isolated).join(', ');

/** A part of a list, left out if its count is 0. */
export const some = (count: number, text: string) => (count > 0 ? [text] : []);

/** Dates use the calendar and digits of the form fields. Some browsers report an invalid language. */
function toLocale(language: string): string {
  try {
    return new Intl.Locale(language, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
  } catch {
    return 'en-GB';
  }
}

export function inPercent(percent: number, more: Intl.NumberFormatOptions = {}): string {
  return (percent / 100).toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 2, ...more });
}

export const common = {
  brand: 'Keyport',
  about: 'About',
  account: 'Account',
  amount: 'Amount',
  balance: 'Balance',
  before: 'Previous period',
  thisPeriod: 'This period',
  cancel: 'Cancel',
  change: 'Change',
  changed: 'changed',
  checkNow: 'Check now',
  created: 'Created',
  details: 'Details',
  discount: 'Discount',
  display: 'Display',
  downloadCsv: 'Download CSV',
  edit: 'Edit',
  editOf: (name: string) => `Edit ${isolated(name)}`,
  email: 'Email',
  enterAName: 'Enter a name.',
  from: 'From',
  key: 'Key',
  kind: 'Kind',
  money: 'Money',
  name: 'Name',
  nothingWasChangedYet: 'Nothing has been changed yet.',
  offer: 'Offer',
  order: 'Order',
  product: 'Product',
  profile: 'Profile',
  reason: 'Reason',
  reference: 'Reference',
  rejectedOrders: 'Rejected orders',
  incidents: 'Incidents',
  request: 'Request',
  requested: 'Requested',
  retry: 'Retry',
  role: 'Role',
  saveChanges: 'Save changes',
  searchAccounts: 'Search accounts',
  seller: 'Seller',
  since: 'Since',
  started: 'Started',
  status: 'Status',
  time: 'Time',
  total: 'Total',
  turnover: 'Turnover',
  unchanged: 'unchanged',
  undo: 'Undo',
  undone: 'Undone',
  units: 'Units',
  utcDays: 'UTC days',
  why: 'Why',
  navigation: {
    label: 'Main',
    open: 'Open navigation',
    close: 'Close navigation',
    skip: 'Skip to content',
    home: 'Home',
    orders: 'Orders',
    held: 'Held',
    claims: 'Claims',
    accounts: 'Accounts',
    catalogue: 'Catalogue',
    imports: 'Imports',
    finance: 'Finance',
    reports: 'Reports',
    payments: 'Payments',
    approvals: 'Approvals',
    webhooks: 'Webhooks',
    audit: 'Audit',
    system: 'System',
    reservations: 'Reservations',
    statement: 'Statement',
    clients: 'Credentials',
    requests: 'Request log',
    members: 'Members',
  },
  modes: { sandbox: 'Sandbox', live: 'Live' },
  password: 'Password',
  loading: 'Loading',
  notFound: {
    account: 'There is no account with this id. Check the link.',
    approval: 'There is no approval with this id. Check the link.',
    claim: 'There is no claim with this id. Check the link.',
    event: 'There is no event with this id. Check the link.',
    import: 'There is no import with this id. Check the link.',
    offer: 'There is no offer with this id. Check the link.',
    order: 'There is no order with this id. Check the link.',
    product: 'There is no product with this id. Check the link.',
    seller: 'There is no seller with this id. Check the link.',
  },
  /** The console shows these texts instead of messages that are for programs. */
  errors: {
    'idempotency-key-processing': 'The service is still carrying this out. Retry in a moment.',
    'idempotency-key-already-used':
      'This was already sent with other entries. Close the form and begin again.',
    'internal-server-error': 'Something went wrong in the service. Report the trace id to those who run it.',
    'offer-not-available': 'Sold out just now: fewer units are left. Nothing was bought.',
    'payload-too-large': 'This is too much for one request. Enter less, or import a file.',
    'service-unavailable': 'The service cannot do this right now. Retry in a moment.',
    'state-changed': 'The data changed while the form was open; nothing was changed.',
    'too-many-requests': 'Too many requests. Retry in a moment.',
  },
  /** Labels of fields whose names in the API differ from them by more than their spelling. */
  fields: {
    createdAtFrom: 'From',
    createdAtTo: 'To',
    cursor: 'Page',
    dateFrom: 'From',
    dateTo: 'To',
    from: 'From',
    gatewayCustomer: 'Customer at the payment provider',
    id: 'Id',
    limit: 'Rows',
    paymentMethod: 'Pays by',
    query: 'Search',
    to: 'To',
    updatedAtFrom: 'From',
    updatedAtTo: 'To',
    url: 'URL',
  },
  /** The field beside a problem, as the problem's first word. */
  thisField: 'This',
  failed: 'This could not be loaded.',
  offline: 'The service cannot be reached.',
  traceId: 'Trace id',
  older: 'Older',
  others: (count: number) => `and ${plural(count, 'other')}`,
  selected: (count: number) => `${plural(count, 'row')} selected`,
  clearSelection: 'Clear selection',
  goOn: 'No matches on this page. Older pages may have some.',
  noMatch: (count: number) =>
    `Nothing matches ${count === 1 ? 'this filter' : `these ${plural(count, 'filter')}`}.`,
  copy: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  copyByHand: {
    title: 'Copy by hand',
    says: 'The browser did not copy this text. It is selected: press Ctrl+C, or ⌘C on a Mac.',
  },
  close: 'Close',
  tooLong: (most: number) => `Enter at most ${formatCount(most)} characters.`,
  reasonMissing: 'Enter a reason of 1 to 500 characters.',
  typeAmountWrong: (amount: string) => `Type ${amount}.`,
  statuses: {
    pending: 'Pending',
    pending_payment: 'Waiting for payment',
    processing: 'Processing',
    held: 'Held',
    complete: 'Complete',
    canceled: 'Canceled',
    closed: 'Refunded',
  },
  /** Shown for an order that was refunded in part. */
  refundedOf: (refunded: number, paid: number) =>
    some(refunded < paid ? refunded : 0, `${formatCount(refunded)} of ${formatCount(paid)} refunded`),
  claimReasons: {
    invalid: 'Invalid key',
    'already-used': 'Key already used',
    'wrong-region': 'Wrong region',
    'wrong-product': 'Wrong product',
  },
  showAllClaims: 'Show all claims',
  claim: 'Claim',
  claimRate: 'Claims in 30 days',
  idempotencyKey: 'Idempotency key',
  /** Free texts are stored in clear, and others read them. */
  noKeys: 'Never enter a product key.',
  notRead: 'not read',
  noneBefore: 'new',
  times: (multiple: number) => `×${formatCount(multiple)}`,
  toChange: (percent: number) => inPercent(percent, { signDisplay: 'exceptZero' }),
  review: 'Review',
  reviewRequest: 'Review request',
  noAccounts: 'No accounts yet. Create one for each reseller.',
  amountMissing: 'Enter an amount above 0 with at most 2 decimals, such as 250.00.',
  bookingSums: {
    deposit: 'Deposits',
    charge: 'Charges',
    refund: 'Refunds',
    adjustment: 'Corrections',
    payout: 'Payouts',
  },
  noBookings: 'No bookings yet. Book a deposit so that the reseller can order.',
  url: 'URL',
  endpointStatuses: { enabled: 'Enabled', failing: 'Failing', disabled: 'Disabled' },
  movedUnits: {
    returned: 'Units back on sale',
    withdrawn: 'Keys never sold again',
    kept: 'Units whose keys stay with the order',
    delivered: 'Keys delivered',
  },
  keyUnknown: 'This service has never held this key.',
  notifications: 'Notifications',
  notificationEvents: {
    'held-order': 'Order held',
    approval: 'Approval requested',
    claim: 'Claim opened',
    endpoint: 'Webhook endpoint failing',
    invariant: 'Invariant violated',
    'low-stock': 'Offer running low',
  },
  all: 'All',
  noSales: 'Nothing was sold in this range.',
  catalogueParts: {
    label: 'Catalogue sections',
    products: 'Products',
    offers: 'Offers',
    sellers: 'Sellers',
  },
  price: 'Price',
  offerStatuses: { active: 'Active', paused: 'Paused' },
  showOrders: 'Show orders',
  keyStates: { available: 'Available', reserved: 'Reserved', sold: 'Sold', withdrawn: 'Withdrawn' },
  newAccount: 'New account',
  newProduct: 'New product',
  newOffer: 'New offer',
  newSeller: 'New seller',
  inviteOperator: 'Invite an operator',
  importFile: 'Import products, offers or keys',
  findKey: 'Find a key',
  roles: { viewer: 'Viewer', support: 'Support', catalogue: 'Catalogue', finance: 'Finance', admin: 'Admin' },
} as const;
