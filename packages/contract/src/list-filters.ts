/**
 * The filters of lists, by operation and in their order. Each is a parameter of the query; `days` sets the two that bound a time.
 * People read the labels; the schema of the query says what a filter accepts.
 */
import { AUDIT_ACTIONS } from './operators/audit-actions.ts';

export type ListFilter = {
  readonly label: string;
  /** The words that a search takes. */
  readonly hint?: string;
  /** People paste keys here: only the end of one is sent. */
  readonly mayBeKey?: true;
  /** The choices, by value. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * An account, a currency, an operator, a product, a region or a seller is chosen by a search; an id is set only by links;
   * others are typed. Money is in the currency of the list's filter, or else in EUR.
   */
  readonly format?:
    | 'account'
    | 'currency'
    | 'operator'
    | 'product'
    | 'region'
    | 'seller'
    | 'text'
    | 'money'
    | 'id';
  /** The parameters that bound the time. */
  readonly days?: readonly [from: string, to: string];
  /** The choices are tabs; the first one is the default, and `all` is no filter. */
  readonly isTabs?: true;
};

const ACCOUNT = { label: 'Account', format: 'account' } as const;
const PRODUCT = { label: 'Product', format: 'product' } as const;
const SELLER = { label: 'Seller', format: 'seller' } as const;
const PAYMENT_KINDS = { label: 'Kind', labels: { charge: 'Charge', refund: 'Refund' } } as const;
const ORDER_DAYS = { label: 'Days', days: ['dateFrom', 'dateTo'] } as const;
const DAYS = { label: 'Days', days: ['from', 'to'] } as const;
const REJECTION_LABELS = {
  'cart-validation-error': 'Not allowed to order',
  'insufficient-funds': 'Balance too low',
  'max-price-exceeded': 'Maximum price exceeded',
  'offer-not-available': 'Offer not available',
  'payment-not-configured': 'No payment method',
  'product-excluded': 'Product not for sale here',
} as const;
const NAME_OR_ID = 'Words from the name, or an id';

const ORDERS = {
  status: {
    label: 'Status',
    labels: {
      pending: 'Pending',
      pending_payment: 'Waiting for payment',
      processing: 'Processing',
      held: 'Held',
      complete: 'Complete',
      canceled: 'Canceled',
      closed: 'Refunded',
    },
  },
  days: ORDER_DAYS,
} as const satisfies Readonly<Record<string, ListFilter>>;

const REQUESTS = {
  traceId: { label: 'Search by trace id', hint: 'Trace id' },
  status: {
    label: 'Status',
    labels: {
      200: '200 OK',
      201: '201 Created',
      400: '400 Malformed',
      402: '402 Payment required',
      403: '403 Forbidden',
      404: '404 Not found',
      409: '409 Conflict',
      410: '410 Gone',
      429: '429 Too many requests',
      499: '499 Client closed the connection',
      500: '500 Error of the service',
      503: '503 Unavailable',
    },
  },
  code: { label: 'Error code', format: 'text' },
  days: DAYS,
  orderId: { label: 'Order', format: 'id' },
} as const satisfies Readonly<Record<string, ListFilter>>;

const DELIVERIES = {
  status: { label: 'Status', labels: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } },
  orderId: { label: 'Order', format: 'id' },
} as const satisfies Readonly<Record<string, ListFilter>>;

const DELIVERY_VIEWS = { Failed: { status: 'failed' }, Pending: { status: 'pending' } };

export const LIST_FILTERS = {
  listAccounts: {
    query: { label: 'Search accounts', hint: 'Name, id or customer at the payment provider' },
    status: { label: 'Status', labels: { active: 'Active', suspended: 'Suspended', closed: 'Closed' } },
  },
  listAccountRequests: REQUESTS,
  listOwnRequests: REQUESTS,
  listAccountWebhookDeliveries: DELIVERIES,
  listWebhookDeliveries: DELIVERIES,
  listAllClaims: {
    query: { label: 'Search claims', hint: 'Id, account, seller or product' },
    status: {
      label: 'Status',
      labels: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn', all: 'All' },
      isTabs: true,
    },
    reason: {
      label: 'Reason',
      labels: {
        invalid: 'Invalid key',
        'already-used': 'Key already used',
        'wrong-region': 'Wrong region',
        'wrong-product': 'Wrong product',
      },
    },
    accountId: ACCOUNT,
    sellerId: SELLER,
    orderId: { label: 'Order', format: 'id' },
  },
  listAllOrders: {
    query: { label: 'Search orders', hint: 'Id, reference, account, product' },
    ...ORDERS,
    accountId: ACCOUNT,
    productId: PRODUCT,
    sellerId: SELLER,
    offerId: { label: 'Offer', format: 'id' },
    traceId: { label: 'Trace', format: 'id' },
    totalFrom: { label: 'Total from', format: 'money' },
    totalTo: { label: 'Total to', format: 'money' },
    currency: { label: 'Currency', format: 'currency' },
    region: { label: 'Region', format: 'region' },
    refunded: {
      label: 'Refunds',
      labels: { true: 'With refunds', false: 'Without refunds' },
    },
    imported: { label: 'Origin', labels: { true: 'Imported', false: 'Placed here' } },
  },
  listAllWebhookEndpoints: {
    query: { label: 'Search endpoints', hint: 'Words from the URL, or an id' },
    status: { label: 'Status', labels: { enabled: 'Enabled', disabled: 'Disabled' } },
    failing: { label: 'Deliveries', labels: { true: 'Failing', false: 'Not failing' } },
    accountId: ACCOUNT,
  },
  listApprovals: {
    status: {
      label: 'Status',
      labels: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected', all: 'All' },
      isTabs: true,
    },
    mayApprove: { label: 'Decision', labels: { true: 'By me' } },
  },
  listAudit: {
    query: { label: 'Search the audit log', hint: 'Id of an order, account, trace or client' },
    clientId: { label: 'Who', format: 'operator' },
    action: { label: 'Action', labels: AUDIT_ACTIONS },
    actionsOnly: { label: 'Reads of keys', labels: { true: 'Left out', false: 'Included' } },
    days: ORDER_DAYS,
  },
  listCatalogueProducts: {
    query: { label: 'Search products', hint: NAME_OR_ID },
    checkoutClass: {
      label: 'Class',
      labels: {
        standard: 'Standard',
        'in-game-top-up': 'In-game top-up',
        'balance-top-up': 'Balance top-up',
        'game-account': 'Game account',
        esim: 'eSIM',
        subscription: 'Subscription',
      },
    },
  },
  listClaims: {
    status: { label: 'Status', labels: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn' } },
    orderId: { label: 'Order', format: 'id' },
  },
  listImports: {
    kind: {
      label: 'Content',
      labels: {
        prices: 'Prices of offers',
        offers: 'Offers',
        products: 'Products',
        keys: 'Keys',
        sellers: 'Sellers',
      },
    },
    state: { label: 'Status', labels: { running: 'Running', stopped: 'Stopped', completed: 'Completed' } },
  },
  listIncidents: {
    kind: {
      label: 'Kind',
      labels: {
        invariant: 'Invariant violated',
        payment: 'Payment overdue',
        endpoint: 'Webhook endpoint failing',
        import: 'Import stopped',
        node: 'Node lost',
        notification: 'Notification failing',
      },
    },
    open: { label: 'Status', labels: { true: 'Ongoing', false: 'Ended' } },
    days: DAYS,
  },
  listOfferKeys: {
    state: {
      label: 'Status',
      labels: { available: 'Available', reserved: 'Reserved', sold: 'Sold', withdrawn: 'Withdrawn' },
    },
  },
  listOffers: {
    query: { label: 'Search offers', hint: 'Words from the product name, or an id' },
    status: { label: 'Status', labels: { active: 'Active', paused: 'Paused' } },
    quantityMax: {
      label: 'Stock',
      labels: { 0: 'Sold out', 5: '5 units or fewer', 20: '20 units or fewer' },
    },
    runningOut: { label: 'Sales', labels: { true: 'Sold recently, running out' } },
    sellerId: SELLER,
  },
  listPayments: {
    query: { label: 'Search payments', hint: 'Order, account or reference' },
    kind: PAYMENT_KINDS,
    accountId: ACCOUNT,
  },
  listRejections: {
    query: { label: 'Search rejected orders', hint: 'Account, product, reference, key or trace' },
    code: { label: 'Code', labels: REJECTION_LABELS },
    days: ORDER_DAYS,
    accountId: ACCOUNT,
  },
  listOrders: {
    query: {
      label: 'Search orders',
      hint: 'Order id, part of your reference, end of a key',
      mayBeKey: true,
    },
    ...ORDERS,
  },
  listProductOffers: {
    query: { label: 'Search products', hint: 'Words from the name, or a product id' },
    maxPrice: { label: 'Price up to', format: 'money' },
    totalQuantity: { label: 'Units at least', format: 'text' },
  },
  listReservations: {
    status: {
      label: 'Status',
      labels: { active: 'Active', ordered: 'Ordered', released: 'Released', expired: 'Expired' },
    },
  },
  listSellers: { query: { label: 'Search sellers', hint: NAME_OR_ID } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ListFilter>>>>;

/** The tabs above a list, besides that of all elements: a name, and the values of filters. */
export const LIST_TABS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> =
  {
    listAccounts: { Suspended: { status: 'suspended' } },
    listAccountWebhookDeliveries: DELIVERY_VIEWS,
    listWebhookDeliveries: DELIVERY_VIEWS,
    listAllOrders: {
      Held: { status: 'held' },
      'Partly refunded': { status: 'complete', refunded: 'true' },
    },
    listAllWebhookEndpoints: { Failing: { failing: 'true' }, Disabled: { status: 'disabled' } },
    listIncidents: { Ongoing: { open: 'true' }, Ended: { open: 'false' } },
    listOffers: {
      'Sold out': { quantityMax: '0' },
      'Running out': { runningOut: 'true' },
      Paused: { status: 'paused' },
    },
    listPayments: { Charges: { kind: 'charge' }, Refunds: { kind: 'refund' } },
  };
