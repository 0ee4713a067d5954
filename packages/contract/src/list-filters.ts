/**
 * The filters of lists, by operation and in their order. Each is a parameter of the query; `days` sets the two that bound a time.
 * People read the labels; the schema of the query says what a filter accepts.
 */
export type ListFilter = {
  readonly label: string;
  /** The words that a search takes. */
  readonly hint?: string;
  /** Another filter that a search replaces. */
  readonly replaces?: string;
  /** The choices, by value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** An account, product or seller is chosen by a search; an id is set only by links; others are typed. */
  readonly format?: 'account' | 'product' | 'seller' | 'text' | 'money' | 'id';
  /** The parameters that bound the time. */
  readonly days?: readonly [from: string, to: string];
  /** The first choice is the default. */
  readonly isRequired?: true;
  /** Set rarely, so behind a button. */
  readonly isRare?: true;
};

const ACCOUNT = { label: 'Account', format: 'account' } as const;
const PRODUCT = { label: 'Product', format: 'product' } as const;
const SELLER = { label: 'Seller', format: 'seller' } as const;
const PAYMENT_KINDS = { label: 'Kind', labels: { charge: 'Charge', refund: 'Refund' } } as const;
const DAYS = { label: 'Days', days: ['from', 'to'] } as const;
const NAME_OR_ID = 'Words from the name, or an id';

export const LIST_FILTERS = {
  listAccounts: {
    query: { label: 'Search accounts', hint: 'Name, id or customer at the payment provider' },
    status: { label: 'Status', labels: { active: 'Active', suspended: 'Suspended', closed: 'Closed' } },
  },
  listAccountWebhookDeliveries: {
    status: { label: 'Status', labels: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } },
  },
  listAllClaims: {
    query: { label: 'Search claims', hint: 'Id, account, seller or product' },
    status: {
      label: 'Status',
      labels: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn', all: 'All' },
      isRequired: true,
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
    query: {
      label: 'Search orders',
      hint: 'Id, reference, account, product',
      replaces: 'referencePart',
    },
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
    days: { label: 'Days', days: ['dateFrom', 'dateTo'] },
    accountId: { ...ACCOUNT, isRare: true },
    productId: { ...PRODUCT, isRare: true },
    sellerId: { ...SELLER, isRare: true },
    offerId: { label: 'Offer', format: 'id' },
    traceId: { label: 'Trace', format: 'id' },
    referencePart: { label: 'Words in the reference', format: 'text' },
    totalFrom: { label: 'Total from', format: 'money' },
    totalTo: { label: 'Total to', format: 'money' },
    currency: { label: 'Currency', format: 'text' },
    region: { label: 'Region', format: 'text' },
    refunded: {
      label: 'Refunds',
      labels: { true: 'With refunds', false: 'Without refunds' },
      isRare: true,
    },
    imported: { label: 'Origin', labels: { true: 'Imported', false: 'Placed here' }, isRare: true },
  },
  listApprovals: {
    status: {
      label: 'Status',
      labels: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected', all: 'All' },
      isRequired: true,
    },
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
    sellerId: { ...SELLER, isRare: true },
  },
  listPayments: { kind: PAYMENT_KINDS, accountId: ACCOUNT },
  listSellers: { query: { label: 'Search sellers', hint: NAME_OR_ID } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ListFilter>>>>;
