import type { EventType } from '@keyport/core/events';
import type { ALL_TYPES } from './webhooks/webhooks.ts';

/**
 * The fields of forms, by operation and in their order. The schema of the body says what a field accepts; this table has what
 * people read. A member that is not here has no field; `reason` and `dryRun` have their own places in a form.
 */
export type FormField = {
  readonly label: string;
  readonly help?: string;
  /** Amounts may be typed in any unambiguous form; `days` stand for hours; `radio` shows all choices; `words` are separated by blanks, commas or lines. */
  readonly format?: 'money' | 'percent' | 'days' | 'radio' | 'words';
  /** People read the label in place of the value; the label of the empty text is that of null. In a list, `*` stands for all values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The field is shown only while another one has this value. */
  readonly when?: readonly [field: string, value: string];
  /** Fields that follow each other under one heading. */
  readonly group?: string;
  /** Few people need the group: it is folded until someone opens it. */
  readonly isRare?: boolean;
  /** What to do about a value that the schema does not allow. */
  readonly problem?: string;
};

const NAME = { label: 'Name', problem: 'Enter a name.' } as const;
const PRICE_PROBLEM = 'Enter a price such as 12.30.';
const LIMIT_PROBLEM = 'Enter an amount such as 250.00, or leave this empty.';
const DAYS_PROBLEM = 'Enter days such as 30 or 1.5, or hours such as 5 h.';
const NO_LIMIT = 'Leave empty for no limit';

const PAYMENT = { group: 'Payment' } as const;
const LIMITS = { group: 'Limits', help: NO_LIMIT } as const;
const RETURNS = { group: 'Returns, claims and review', isRare: true } as const;

const ACCOUNT = {
  paymentMethod: {
    ...PAYMENT,
    label: 'Pays by',
    labels: { balance: 'Balance', gateway: 'Card', '': 'None yet' },
  },
  gatewayCustomer: {
    ...PAYMENT,
    label: 'Customer at the payment provider',
    when: ['paymentMethod', 'gateway'],
  },
  discountPercent: {
    ...PAYMENT,
    label: 'Discount in percent',
    help: 'For example, 2.50',
    format: 'percent',
    problem: 'Enter a percentage such as 2.50.',
  },
  balanceLowThreshold: {
    ...PAYMENT,
    label: 'Warn below, in EUR',
    help: 'Leave empty for no warning',
    format: 'money',
    problem: LIMIT_PROBLEM,
  },
  'limits.orderValueMax': {
    ...LIMITS,
    label: 'Largest order in EUR',
    format: 'money',
    problem: LIMIT_PROBLEM,
  },
  'limits.dailySpendMax': {
    ...LIMITS,
    label: 'Spend per UTC day in EUR',
    format: 'money',
    problem: LIMIT_PROBLEM,
  },
  'limits.dailyUnitsMax': {
    ...LIMITS,
    label: 'Units per UTC day',
    problem: 'Enter a whole number, or leave this empty for no limit.',
  },
  'limits.reservedUnitsMax': {
    ...LIMITS,
    label: 'Units reserved at a time',
    help: '0 turns reservations off',
    problem: 'Enter a whole number such as 50.',
  },
  returnWindowHours: {
    ...RETURNS,
    label: 'Days for returns',
    help: 'Of unread keys; 0: none',
    format: 'days',
    problem: DAYS_PROBLEM,
  },
  claimWindowHours: {
    ...RETURNS,
    label: 'Days for claims',
    help: 'Of faulty keys; 0: none',
    format: 'days',
    problem: DAYS_PROBLEM,
  },
  holdOrders: { ...RETURNS, label: 'Hold every order for review' },
} as const satisfies Readonly<Record<string, FormField>>;

const BOOKING = {
  amount: {
    label: 'Amount in EUR',
    format: 'money',
    problem: 'Enter an amount above 0 with at most 2 decimals, such as 250.00.',
  },
  reference: {
    label: 'Reference',
    help: "The bank's reference or your own. An account books it only once.",
    problem: "Enter a reference, such as the bank's.",
  },
} as const satisfies Readonly<Record<string, FormField>>;

const PERSON = {
  name: NAME,
  email: { label: 'Email', problem: 'Enter an email address.' },
  role: {
    label: 'Role',
    labels: {
      viewer: 'Viewer: reads everything except key codes, secrets, the books and operators’ email addresses',
      support: 'Support: also holds, releases and refunds orders, and replaces keys',
      catalogue: 'Catalogue: also changes products, offers and keys',
      finance: 'Finance: also books deposits, corrections and payouts',
      admin: 'Admin: everything',
    },
  },
} as const satisfies Readonly<Record<string, FormField>>;

const PERSON_STATUS = { label: 'Status', labels: { active: 'Active', disabled: 'Disabled' } } as const;

const MEMBER = {
  name: NAME,
  email: PERSON.email,
  role: {
    label: 'Role',
    format: 'radio',
    labels: {
      accountant: 'Accountant: reads orders without keys, statement and claims',
      buyer: 'Buyer: also buys, reads keys, returns and claims',
      developer: 'Developer: reads as an accountant; credentials, endpoints and request log',
      owner: 'Owner: everything, and members',
    },
  },
} as const satisfies Readonly<Record<string, FormField>>;

const MEMBER_CHANGE = {
  name: MEMBER.name,
  role: MEMBER.role,
  status: PERSON_STATUS,
  keepIssued: {
    label: 'Keep what this member issued',
    help: 'For a colleague who leaves: secrets that they rotated and unused sign-in links keep working.',
    when: ['status', 'disabled'],
  },
} as const satisfies Readonly<Record<string, FormField>>;

const ADDRESSES = {
  label: 'Allowed addresses',
  help: 'One address or range per line, such as 192.0.2.0/24. Leave empty to allow all addresses.',
  format: 'words',
} as const satisfies FormField;

const EVENT_LABELS = {
  '*': 'All types, also future ones',
  'order.complete': 'order.complete: its keys can be read',
  'order.pending_payment': 'order.pending_payment: it waits for its payment',
  'order.held': 'order.held: the marketplace reviews it',
  'order.processing': 'order.processing: it waits for stock',
  'order.canceled': 'order.canceled: it was not delivered',
  'order.closed': 'order.closed: it was refunded in full',
  'order.refunded': 'order.refunded: any amount was refunded',
  'order.keys_expiring': 'order.keys_expiring: unread keys can be read for 6 hours more',
  'account.balance_low': 'account.balance_low: the balance fell below its threshold',
  'account.status_changed': 'account.status_changed',
  'claim.decided': 'claim.decided',
  'client.changed': 'client.changed: a secret, name, address or access',
  'reservation.expired': 'reservation.expired',
  'webhook.test': 'webhook.test',
} as const satisfies Readonly<Record<EventType | typeof ALL_TYPES, string>>;

const ENDPOINT = {
  url: {
    label: 'URL',
    help: 'Deliveries are sent to it by POST.',
    problem: 'Enter a URL that begins with https://.',
  },
  types: {
    label: 'Types of event',
    labels: EVENT_LABELS,
    problem: 'Choose at least one type.',
  },
  description: { label: 'Description', help: 'For your own use.' },
} as const satisfies Readonly<Record<string, FormField>>;

const OVERLAP = {
  label: 'Hours for which the previous secret keeps working',
  help: '0 ends it immediately; at most 168',
  problem: 'Enter a whole number such as 24.',
} as const satisfies FormField;

const OFFER_STATUS = { label: 'Status', labels: { active: 'Active', paused: 'Paused' } } as const;
const CHOICE_HELP = 'Type words from the name, or an id.';

export const FORM_FIELDS = {
  createAccount: { name: NAME, ...ACCOUNT },
  updateAccount: {
    name: NAME,
    status: {
      label: 'Status',
      help: 'A suspended account can read but not order. Closing is final.',
      labels: { active: 'Active', suspended: 'Suspended', closed: 'Closed' },
    },
    ...ACCOUNT,
  },
  createDeposit: BOOKING,
  createPayout: BOOKING,
  createAdjustment: {
    direction: {
      label: 'Direction',
      format: 'radio',
      labels: { credit: 'Add to the balance', debit: 'Take from the balance' },
    },
    ...BOOKING,
  },
  createClient: { name: { label: 'Name', help: 'What it is for, such as “Web shop”.' } },
  updateClient: {
    allowedAddresses: ADDRESSES,
  },
  createClaim: {
    reason: {
      label: 'What is wrong',
      format: 'radio',
      labels: {
        invalid: 'Invalid key',
        'already-used': 'Key already used',
        'wrong-region': 'Wrong region',
        'wrong-product': 'Wrong product',
      },
      problem: 'Choose what is wrong with the keys.',
    },
    message: { label: 'Message to the marketplace', help: 'Optional. Never enter a product key.' },
  },
  createMember: MEMBER,
  createAccountMember: MEMBER,
  createWebhookEndpoint: ENDPOINT,
  createOperator: PERSON,
  updateOperator: {
    ...PERSON,
    status: PERSON_STATUS,
    keepIssued: {
      label: 'Keep what this operator issued',
      help: 'For a colleague who leaves: resellers and programs keep their clients and secrets.',
      when: ['status', 'disabled'],
    },
  },
  renewReservation: {
    ttlSeconds: {
      label: 'Seconds from now',
      help: '60 to 1,800',
      problem: 'Enter a whole number such as 900.',
    },
  },
  replayWebhooks: {
    from: { label: 'From', help: 'For example, 2026-11-28T00:00:00Z', problem: 'Enter a time with a zone.' },
    to: { label: 'To', problem: 'Enter a time with a zone.' },
  },
  rotateOwnClientSecret: { overlapHours: OVERLAP },
  rotateWebhookSecret: { overlapHours: OVERLAP },
  updateAccountMember: MEMBER_CHANGE,
  updateMember: MEMBER_CHANGE,
  updateOwnClient: { allowedAddresses: ADDRESSES },
  updateWebhookEndpoint: ENDPOINT,
  putSeller: { name: NAME },
  putOffer: {
    productId: { label: 'Product', help: CHOICE_HELP, problem: 'Choose a product.' },
    sellerId: { label: 'Seller', help: CHOICE_HELP, problem: 'Choose a seller.' },
    price: { label: 'Price in EUR', format: 'money', problem: PRICE_PROBLEM },
    status: OFFER_STATUS,
  },
  updateOffer: { price: { label: 'New price in EUR', format: 'money', problem: PRICE_PROBLEM } },
  putView: {
    name: { ...NAME, help: 'Keeps the filters, sort order and columns.' },
    shared: { label: 'Share with all operators' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FormField>>>>;
