/** Texts that several files share, and texts by value. The others stand where they are shown. */

/** The person's locale: dates, numbers and amounts follow it. */
export const LOCALE = localeOf(navigator.language);

export const formatCount = (count: number) => count.toLocaleString(LOCALE);

const RULES = new Intl.PluralRules('en');

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${RULES.select(count) === 'one' ? one : many}`;

/** In an import, by the only field that has no source. */
const MISSING: Readonly<Record<string, string>> = {
  sellerId: 'Choose the seller, or the column that names one.',
  offerId: 'Choose the offer, or the column that has its id.',
};

/** A part of an enumeration, unless there is none. */
export const some = (count: number, text: string) => (count > 0 ? [text] : []);

const DONE = { release: 'released', hold: 'held', refund: 'refunded' } as const;

/** Dates stay in the calendar and digits of the fields that people fill in. Some browsers name a language that is none. */
function localeOf(language: string): string {
  try {
    return new Intl.Locale(language, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
  } catch {
    return 'en-GB';
  }
}

export function inPercent(percent: number, more: Intl.NumberFormatOptions = {}): string {
  return (percent / 100).toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 2, ...more });
}

export const texts = {
  header: { sandbox: 'Sandbox', live: 'Live', themes: { light: 'Light', dark: 'Dark', auto: 'System' } },
  signIn: {
    oidcErrors: {
      failed: 'Single sign-on did not work. Retry, or sign in another way.',
      'no-email': 'Your provider did not confirm your email address. Ask its administrator.',
      'no-role': 'Your provider gives you no role here. Ask its administrator.',
      'not-invited': 'No operator has your email address, or you are disabled. Ask an administrator.',
    },
    tooMany: 'Too many attempts. Wait a minute, then retry.',
  },
  states: { trace: 'Trace id' },
  table: {
    selected: (count: number) => `${plural(count, 'row')} selected`,
    goOn: 'No match on this page. Older pages may have some.',
    noMatch: (count: number) => `Nothing matches ${count === 1 ? 'this filter' : `these ${count} filters`}.`,
    filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
    moreFilters: (count: number) => (count === 0 ? 'More filters' : `More filters (${count})`),
  },
  action: {
    reasonMissing: 'Enter a reason of 1 to 500 characters.',
    typeAmountWrong: (amount: string) => `Type ${amount}.`,
  },
  statuses: {
    pending: 'Pending',
    pending_payment: 'Waiting for payment',
    processing: 'Processing',
    held: 'Held',
    complete: 'Complete',
    canceled: 'Canceled',
    closed: 'Closed',
  },
  orders: {
    linked: {
      accountId: 'Account',
      productId: 'Product',
      offerId: 'Offer',
      sellerId: 'Seller',
      traceId: 'Trace',
    },
    allFilters: {
      referencePart: 'Words of the reference',
      totalFrom: 'Total from',
      totalTo: 'Total to',
      currency: 'Currency',
      region: 'Region',
      refunded: 'Refunds',
      imported: 'Origin',
    },
    refundedChoices: { true: 'With refunds', false: 'Without refunds' },
    importedChoices: { true: 'Imported', false: 'Placed here' },
  },
  order: {
    ordered: 'ordered',
    shipped: 'delivered',
    refunded: 'refunded',
    moments: {
      'keys.read': 'Keys read',
      'order.replace-key': 'Key replaced',
      'order.return': 'Units returned by the reseller',
      'order.settle': 'Payment',
      'claim.create': 'Claim made',
      'claim.decide': 'Claim decided',
      'claim.withdraw': 'Claim withdrawn',
      'assignee.put': 'Assignee changed',
      'note.withdraw': 'Note withdrawn',
      'keys.find': 'Key searched',
      'approval.request': 'Approval requested',
      'approval.approve': 'Approved',
      'approval.reject': 'Rejected',
    },
  },
  notes: {
    mentioned: {
      order: (author: string) => `${author} mentioned you in a note on an order`,
      account: (author: string) => `${author} mentioned you in a note on an account`,
      seller: (author: string) => `${author} mentioned you in a note on a seller`,
    },
  },
  assignee: { choices: { me: 'Assigned to you', none: 'No assignee' } },
  claims: {
    statuses: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn' },
    choices: { open: 'Open', decided: 'Decided', withdrawn: 'Withdrawn', all: 'All' },
    reasons: {
      invalid: 'Invalid key',
      'already-used': 'Key already used',
      'wrong-region': 'Wrong region',
      'wrong-product': 'Wrong product',
    },
    outcomes: { replaced: 'Replaced', refunded: 'Refunded', rejected: 'Rejected', none: 'Not decided' },
    decide: 'Decide',
    decisions: { replace: 'Replace', refund: 'Refund', reject: 'Reject' },
    submit: (decision: 'replace' | 'refund' | 'reject' | undefined, count: number) =>
      `${decision === undefined ? 'Decide' : texts.claims.decisions[decision]} ${plural(count, 'key')}`,
  },
  rejections: {
    /** The meaning of a code, and the remedy. */
    codes: {
      'cart-validation-error': [
        'The account may not place this order: its status, a limit, or because the offer is its own.',
        "If the reseller should be able to order this, change the account's limits or status.",
      ],
      'insufficient-funds': [
        'The balance of the account did not cover the order.',
        'Ask the reseller to top up, and book the deposit when it arrives.',
      ],
      'max-price-exceeded': [
        'The offer costs more than the maximum price of the order.',
        'Nothing, unless a price is wrong: check the latest price changes.',
      ],
      'offer-not-available': [
        'No active offer had enough units at the maximum price, or the offer named was paused, sold out or unknown.',
        'Add keys to sold-out offers. If one account has many of these, its catalogue is old: ask the reseller to read changes more often.',
      ],
      'payment-not-configured': [
        'The account has no working payment method.',
        'Edit the account and choose how it pays. A card also needs a customer at the payment provider.',
      ],
      'product-excluded': [
        'Products of this class are not sold through the API.',
        'If the class of the product is wrong, edit the product. Otherwise ask the reseller to leave it out.',
      ],
    } as Readonly<Record<string, readonly [string, string]>>,
  },
  orderKeys: {
    refundedAs: { kept: 'refunded', returned: 'refunded, back to stock', withdrawn: 'refunded, withdrawn' },
  },
  home: { periods: { today: 'Today', week: '7 days', month: '30 days' } },
  attention: {
    held: (count: number) => `${plural(count, 'order')} held`,
    claims: (count: number) => `${plural(count, 'claim')} to decide`,
    approvals: (count: number) => `${plural(count, 'approval')} to decide`,
    payments: (count: number) => `${plural(count, 'payment')} open`,
    refunds: (count: number) => `${plural(count, 'card refund')} in progress`,
  },
  orderActions: {
    hold: {
      name: 'Hold',
      title: (id: string) => `Hold order ${id}`,
      submit: 'Hold order',
      done: 'Order held',
      says: 'The order stops until an operator releases it.',
    },
    release: {
      name: 'Release',
      title: (id: string) => `Release order ${id}`,
      submit: 'Release order',
      done: 'Order released',
      says: 'The order continues where it stopped.',
    },
    cancel: {
      name: 'Cancel order',
      title: (id: string) => `Cancel order ${id}`,
      submit: 'Cancel order',
      done: 'Order canceled',
      says: 'Its units go back to stock. Nothing was paid.',
    },
    refund: {
      name: 'Refund',
      title: (id: string) => `Refund order ${id}`,
      submit: (amount: string) => `Refund ${amount}`,
      submitPlain: 'Refund',
      whole: 'Before delivery, the whole order is refunded. No key was read.',
      nothing: 'Select the keys to refund.',
      units: (product: string) => `Keys of ${product}`,
      all: (count: number) => `Select all ${plural(count, 'key')}`,
      none: 'Select none',
      keys: 'After the refund the keys',
      wasRead: 'A selected key was read.',
      choices: {
        return: 'go back to stock',
        keep: 'stay with the order, readable while it is complete',
        withdraw: 'leave the order and are never sold again',
      },
      done: (amount: string) => `${amount} refunded`,
    },
    /** Why an action is there and cannot be used. */
    imported: 'This order was imported. Change it in the system that it comes from.',
  },
  accounts: {
    statuses: { active: 'Active', suspended: 'Suspended', closed: 'Closed' },
    paymentMethods: { balance: 'Balance', gateway: 'Card', none: 'None yet' },
    percent: (percent: string) => inPercent(Number(percent)),
    empty: 'No accounts yet. Create one for each reseller.',
    unitsWrong: 'Enter units per day as a whole number, or nothing for no limit.',
    numberWrong: 'Enter a whole number such as 24.',
    limitWrong: 'Enter an amount such as 250.00, or nothing for no limit.',
    percentWrong: 'Enter a percentage such as 2.50.',
    fields: {
      name: 'Name',
      status: 'Status',
      paymentMethod: 'Pays by',
      gatewayCustomer: 'Customer at the payment provider',
      discountPercent: 'Discount in percent',
      orderValueMax: 'Largest order in EUR',
      dailySpendMax: 'Spend per UTC day in EUR',
      dailyUnitsMax: 'Units per UTC day',
      reservedUnitsMax: 'Units reserved at a time',
      returnWindowHours: 'Hours for returns of unread keys',
      claimWindowHours: 'Hours for claims of faulty keys',
      balanceLowThreshold: 'Warn when the balance is below, in EUR',
      holdOrders: 'Hold every order for review',
    },
    hints: {
      status: 'A suspended account can read but not order. Closed is final.',
      gatewayCustomer: '',
      discountPercent: 'Such as 2.50',
      orderValueMax: 'Empty: no limit',
      dailySpendMax: 'Empty: no limit',
      dailyUnitsMax: 'Empty: no limit',
      reservedUnitsMax: '0: no reservations',
      returnWindowHours: 'After completion, 0: no returns',
      claimWindowHours: 'After completion, 0: no claims',
      balanceLowThreshold: 'Empty: no event',
    },
  },
  bookings: {
    deposit: {
      name: 'Deposit',
      title: (account: string) => `Deposit for ${account}`,
      submit: (amount: string) => `Deposit ${amount}`,
      done: (amount: string) => `${amount} deposited · Statement`,
    },
    adjustment: {
      name: 'Correct balance',
      title: (account: string) => `Correct the balance of ${account}`,
      submit: (amount: string) => `Correct by ${amount}`,
      done: (amount: string) => `Balance corrected by ${amount} · Statement`,
    },
    payout: {
      name: 'Pay out',
      title: (account: string) => `Pay out to ${account}`,
      submit: (amount: string) => `Pay out ${amount}`,
      done: (amount: string) => `${amount} paid out · Statement`,
    },
    directions: { credit: 'Add to the balance', debit: 'Take from the balance' },
  },
  statement: {
    kinds: {
      deposit: 'Deposit',
      charge: 'Charge',
      refund: 'Refund',
      adjustment: 'Correction',
      payout: 'Payout',
    },
    sums: {
      deposit: 'Deposits',
      charge: 'Charges',
      refund: 'Refunds',
      adjustment: 'Corrections',
      payout: 'Payouts',
    },
    empty: 'No bookings yet. Book a deposit so that the reseller can order.',
  },
  reservations: { releaseTitle: (id: string) => `Release reservation ${id}` },
  clients: {
    empty: 'No clients yet. The reseller needs one to use the API.',
    access: { full: 'Full', 'read-only': 'Read-only' },
    actions: {
      secret: 'New secret',
      addresses: 'Addresses',
      readOnly: 'Make read-only',
      full: 'Give full access',
      enable: 'Enable',
      disable: 'Disable',
    },
    switches: {
      enable: {
        title: (clientId: string) => `Enable ${clientId}`,
        says: 'It works again with its previous secrets. If one leaked, create a new client instead.',
        submit: 'Enable client',
        done: 'Client enabled',
      },
      disable: {
        title: (clientId: string) => `Disable ${clientId}`,
        says: 'Its tokens are rejected within 5 seconds. It can be enabled again.',
        submit: 'Disable client',
        done: 'Client disabled',
      },
      readOnly: {
        title: (clientId: string) => `Make ${clientId} read-only`,
        says: 'Within 5 seconds it reads everything except product keys, and changes nothing but its own secret.',
        submit: 'Make read-only',
        done: 'Client is read-only',
      },
      full: {
        title: (clientId: string) => `Give ${clientId} full access`,
        says: 'It can order and read product keys.',
        submit: 'Give full access',
        done: 'Client has full access',
      },
    },
  },
  endpoints: {
    statuses: { enabled: 'Enabled', failing: 'Failing', disabled: 'Disabled' },
    switched: { enabled: 'Endpoint enabled', disabled: 'Endpoint disabled' },
  },
  deliveries: {
    event: 'Event',
    statuses: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
    redeliverAll: (count: number) => `Redeliver ${plural(count, 'event')}`,
  },
  replaceKey: { title: (code: string) => `Replace key ${code}` },
  preview: {
    amounts: { deposit: 'Paid in', payout: 'Paid out to the reseller', adjustment: 'Correction' },
    units: {
      returned: 'Units back on sale',
      withdrawn: 'Keys never sold again',
      kept: 'Units whose keys stay with the order',
      delivered: 'Keys delivered',
    },
  },
  bulk: {
    title: {
      release: (count: number) => `Release ${plural(count, 'order')}`,
      hold: (count: number) => `Hold ${plural(count, 'order')}`,
      refund: (count: number) => `Refund ${plural(count, 'order')}`,
    },
    choices: {
      return: 'go back to stock, except those of orders with a key that was read',
      keep: 'stay with delivered orders, and go back to stock before delivery',
      withdraw: 'leave their orders and are never sold again',
    },
    done: (name: 'release' | 'hold' | 'refund', done: number, waiting: number) =>
      [
        ...some(done, `${plural(done, 'order')} ${DONE[name]}`),
        ...some(waiting, `${plural(waiting, 'waits', 'wait')} for approval`),
      ].join(', '),
  },
  incidents: {
    kinds: {
      invariant: 'Invariant violated',
      payment: 'Payment overdue',
      endpoint: 'Webhook endpoint failing',
      import: 'Import stopped',
      node: 'Node lost',
      notification: 'Notification failing',
    },
    states: { true: 'Going on', false: 'Ended' },
  },
  reports: {
    dimensions: { day: 'Day', product: 'Product', seller: 'Seller', account: 'Account', region: 'Region' },
    ordersOf: (what: string, figure: string) => `Orders: ${what}, ${figure}`,
  },
  notifications: {
    bell: (unread: number) =>
      unread === 0 ? 'Notifications' : `Notifications, ${formatCount(unread)} unread`,
    events: {
      'held-order': 'Order held',
      approval: 'Approval requested',
      claim: 'Claim opened',
      endpoint: 'Webhook endpoint failing',
      invariant: 'Invariant violated',
      'low-stock': 'Offer running low',
      mention: 'You are mentioned',
      assigned: 'Assigned to you',
    },
    channels: { console: 'Console', mail: 'Mail', chat: 'Chat' },
  },
  approvals: {
    operations: {
      refundOrder: 'Refund',
      decideClaim: 'Claim refund',
      createDeposit: 'Deposit',
      createAdjustment: 'Correction',
      createPayout: 'Payout',
    } as Readonly<Record<string, string>>,
    statuses: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected' },
    choices: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected', all: 'All' },
  },
  approval: {
    effects: {
      pending: 'What it would do now',
      approved: 'What it did',
      rejected: 'What it would have done',
    },
    notApprovable: {
      active: 'You and the requester count as one person. Another operator must approve it.',
      disabled: 'The requester was disabled since then. A new request is needed.',
      demoted: 'The requester may no longer request this. A new request is needed.',
    },
    submits: {
      refundOrder: (amount: string) => `Refund ${amount}`,
      decideClaim: (amount: string) => `Refund ${amount}`,
      createDeposit: (amount: string) => `Deposit ${amount}`,
      createAdjustment: (amount: string) => `Correct by ${amount}`,
      createPayout: (amount: string) => `Pay out ${amount}`,
    } as Readonly<Record<string, (amount: string) => string>>,
    reject: {
      name: 'Reject',
      title: (what: string) => `Reject: ${what}`,
      submit: 'Reject request',
      done: 'Request rejected',
    },
    withdraw: {
      name: 'Withdraw request',
      title: (what: string) => `Withdraw: ${what}`,
      submit: 'Withdraw request',
      done: 'Request withdrawn',
    },
  },
  payments: {
    kinds: { charge: 'Charge', refund: 'Refund' },
    states: {
      none: 'The provider was not queried yet.',
      pending: 'The customer has not paid yet.',
      unknown: 'The provider does not know this payment.',
      'no-answer': 'The provider did not respond.',
    } as Readonly<Record<string, string>>,
    retryOf: (orderId: string) => `Retry the payment of ${orderId}`,
  },
  finance: {
    sums: {
      deposits: 'Deposits',
      charges: 'Charges',
      refunds: 'Refunds',
      adjustments: 'Corrections',
      payouts: 'Payouts',
      prepaidBalance: 'On account',
    },
    kinds: {
      prepaid: 'Prepaid',
      cash: 'Cash',
      sales: 'Sales',
      gateway: 'Payment provider',
      adjustments: 'Corrections',
    },
  },
  checkup: {
    score: ({ score, seen, total, requests }: Record<'score' | 'seen' | 'total' | 'requests', number>) =>
      `${seen} of ${total} checks seen; ${inPercent(score)} of these passed, in ${plural(requests, 'request')}`,
    statuses: { passed: 'Passed', failed: 'Failed', 'not-seen': 'Not seen' },
  },
  keys: {
    list: [
      ['Ctrl K', 'Search or jump to'],
      ['?', 'Keyboard shortcuts'],
      ['/', 'Search this list'],
      ['g h', 'Home'],
      ['g o', 'Orders'],
      ['g q', 'Held'],
      ['g a', 'Accounts'],
      ['g c', 'Catalogue'],
      ['g i', 'Imports'],
      ['g f', 'Finance'],
      ['j k', 'Next and previous row'],
      ['Enter', 'Open'],
      ['p', 'Look without opening'],
      ['x', 'Select'],
      ['[ ]', 'Previous and next'],
      ['h r f', 'Hold, release, refund'],
      ['m', 'Assign to me'],
      ['c', 'Change the selected offers'],
      ['u', 'Times in UTC and back'],
      ['Ctrl Enter', 'Submit'],
      ['Esc', 'Close, then clear the selection'],
    ],
  },
  catalogue: {
    tabs: { label: 'Parts of the catalogue', products: 'Products', offers: 'Offers', sellers: 'Sellers' },
    slug: 'Slug',
    checkoutClass: 'Class',
    checkoutClasses: {
      standard: 'Standard',
      'in-game-top-up': 'In-game top-up',
      'balance-top-up': 'Balance top-up',
      'game-account': 'Game account',
      esim: 'eSIM',
      subscription: 'Subscription',
    },
    statuses: { active: 'Active', paused: 'Paused' },
    stocks: { 0: 'Sold out', 5: '5 units or fewer', 20: '20 units or fewer' },
    saleChoices: { true: 'Sold recently, running out' },
    coverImage: 'Cover picture',
    portraitImage: 'Portrait picture',
    thumbnail: 'Thumbnail',
    images: 'More pictures',
    videos: 'Videos',
    rating: 'Rating',
    descriptors: 'Descriptors',
    requirementLevels: { minimal: 'Minimal', recommended: 'Recommended' },
    requirementParts: {
      system: 'System',
      processor: 'Processor',
      graphics: 'Graphics',
      memory: 'Memory',
      diskSpace: 'Disk space',
      other: 'Other',
    },
    region: 'Region',
    platform: 'Platform',
    publisher: 'Publisher',
    developer: 'Developer',
    releaseDate: 'Released',
    categories: 'Categories',
    kinds: { text: 'Text', image: 'Image' },
    states: { available: 'Available', reserved: 'Reserved', sold: 'Sold', withdrawn: 'Withdrawn' },
  },
  catalogueForms: {
    renameOf: (name: string) => `Rename ${name}`,
    created: (name: string) => `${name} created`,
    addressHints: {
      coverImage: 'Its address, such as https://img.example/cover.jpg.',
      portraitImage: 'Address of a picture of 230 × 336.',
      thumbnail: 'Address of a picture of 58 × 58.',
    },
  },
  offerActions: {
    priceOf: (product: string) => `Change the price of ${product}`,
    priceWrong: 'Enter a price such as 12.30.',
    pauseTitle: (product: string) => `Pause the offer of ${product}`,
    resumeTitle: (product: string) => `Resume the offer of ${product}`,
    addKeysTo: (product: string) => `Add keys to ${product}`,
    addCount: (count: number) => (count === 0 ? 'Add keys' : `Add ${plural(count, 'key')}`),
    addSays: (added: number, known: number, before = 0, after = before) =>
      `${plural(added, 'new key')}${known === 0 ? '' : `, ${formatCount(known)} left out: the service holds them already`}. On sale: ${formatCount(before)} → ${formatCount(after)}.`,
    withdrawFrom: (product: string) => `Withdraw keys of ${product}`,
    withdrawWays: { quantity: 'A number of keys, newest first', codes: 'Specific keys' },
    withdraw: (count: number) => (count === 0 ? 'Withdraw keys' : `Withdraw ${plural(count, 'key')}`),
    withdrawSays: (count: number, before = 0, after = before) =>
      `${plural(count, 'key')} will never be sold. On sale: ${formatCount(before)} → ${formatCount(after)}.`,
    kept: {
      unknown: 'stays: the service does not know it',
      'other-offer': 'stays: it belongs to another offer',
      reserved: 'stays: reserved for order',
      sold: 'stays: sold with order',
      withdrawn: 'was withdrawn before',
    },
    bulkSays: (changed: number, same: number) =>
      `${plural(changed, 'offer changes', 'offers change')}${same === 0 ? '' : `, ${plural(same, 'stays', 'stay')} unchanged`}.`,
    changes: {
      price: 'Set one price',
      percent: 'Raise or lower prices by percent',
      pause: 'Pause',
      resume: 'Resume',
    },
    percentWrong: 'Enter a percentage from -99 to 1000, such as -2.5.',
    bulkSubmit: (count: number) => (count === 0 ? 'Change offers' : `Change ${plural(count, 'offer')}`),
  },
  imports: {
    fileProblems: {
      empty: (name: string) => `There are no columns in ${name}. Choose a CSV or NDJSON file.`,
      spreadsheet: (name: string) =>
        `${name} is a spreadsheet. Open it, save it as CSV (in Excel: CSV UTF-8), and choose that file.`,
      binary: (name: string) => `${name} is not a text file. Choose a CSV or NDJSON file.`,
      unreadable: (name: string) => `${name} could not be read. Choose it again.`,
    },
    steps: ['File', 'Columns', 'Check', 'Run'],
    kinds: {
      prices: 'Prices of offers',
      offers: 'Offers',
      products: 'Products',
      keys: 'Keys',
      sellers: 'Sellers',
    },
    unnamed: (place: number) => `Column ${place}`,
    deleteMissingSays: {
      offers: 'Other offers of the sellers in the file are paused.',
      prices: 'Other offers of the sellers in the file are paused.',
      products: 'Offers of all other products are paused.',
      keys: 'Other unsold keys of the offers in the file are withdrawn.',
      sellers: 'Offers of all other sellers are paused.',
    },
    missing: (fields: readonly string[]) =>
      MISSING[fields.join()] ?? `Choose a column, or one text for every line, for ${fields.join(', ')}.`,
    forms: { uuid: 'UUID', productId: '14 digits', seller: 'UUID or name', price: 'In EUR' },
    downloadRejects: (count: number) => `Download ${plural(count, 'rejected line')}`,
    states: { running: 'Running', stopped: 'Stopped', completed: 'Completed' },
    pricesChange: (count: number, shown: number) =>
      `${plural(count, 'price changes', 'prices change')}; ${shown === count ? 'the largest change first' : `the ${shown} largest changes`}`,
    undoSays: (effect: Record<'changedBack' | 'paused' | 'withdrawn' | 'restored' | 'kept', number>) => {
      const { changedBack, paused, withdrawn, restored, kept } = effect;
      const back = plural(changedBack, 'offer returns to its', 'offers return to their');
      const staying = plural(kept, 'key withdrawn since then stays', 'keys withdrawn since then stay');
      return [
        ...some(changedBack, `${back} previous price and status.`),
        ...some(paused, `${plural(paused, 'added offer is', 'added offers are')} paused.`),
        ...some(
          withdrawn,
          `${plural(withdrawn, 'added key is', 'added keys are')} withdrawn and can be added again.`,
        ),
        ...some(restored, `${plural(restored, 'is', 'are')} back on sale.`),
        ...some(kept, `${staying} unchanged.`),
      ].join(' ');
    },
  },
  audit: {
    readChoices: { hidden: 'hidden' },
    actions: {
      'account.create': 'Account created',
      'account.update': 'Account changed',
      'adjustment.create': 'Balance corrected',
      'approval.approve': 'Approved',
      'approval.reject': 'Approval rejected',
      'approval.request': 'Approval requested',
      'catalogue.restart-feeds': 'Feeds restarted',
      'claim.create': 'Claim made',
      'claim.decide': 'Claim decided',
      'claim.withdraw': 'Claim withdrawn',
      'client.create': 'Client created',
      'client.disable': 'Client disabled',
      'client.enable': 'Client enabled',
      'client.rotate-secret': 'Client secret rotated',
      'client.secret': 'Client secret created',
      'client.update': 'Client changed',
      'deposit.create': 'Deposit booked',
      'import.keys': 'Keys imported',
      'import.keys.missing': 'Missing keys withdrawn',
      'import.keys.restore': 'Missing keys restored',
      'import.keys.undo': 'Import of keys undone',
      'import.offers': 'Offers imported',
      'import.offers.missing': 'Missing offers paused',
      'import.offers.restore': 'Missing offers restored',
      'import.offers.undo': 'Import of offers undone',
      'import.prices': 'Prices imported',
      'import.prices.missing': 'Missing offers paused',
      'import.prices.restore': 'Missing offers restored',
      'import.prices.undo': 'Import of prices undone',
      'import.products': 'Products imported',
      'import.products.missing': 'Offers of missing products paused',
      'import.products.restore': 'Offers of missing products restored',
      'import.sellers': 'Sellers imported',
      'import.sellers.missing': 'Offers of missing sellers paused',
      'import.sellers.restore': 'Offers of missing sellers restored',
      'keys.add': 'Keys added',
      'keys.find': 'Key looked up',
      'keys.read': 'Keys read',
      'keys.withdraw': 'Keys withdrawn',
      'master-key.rotate': 'Master key rotated',
      'assignee.put': 'Assignee changed',
      'note.create': 'Note added',
      'note.withdraw': 'Note withdrawn',
      'offer.put': 'Offer written',
      'offer.update': 'Offer changed',
      'operator.create': 'Operator created',
      'operator.invite': 'Operator invited',
      'operator.chat.put': 'Notification chat set',
      'operator.chat.delete': 'Notification chat removed',
      'operator.notifications': 'Notifications chosen',
      'operator.oidc.link': 'Single sign-on linked',
      'operator.passkey.add': 'Passkey added',
      'operator.passkey.remove': 'Passkey removed',
      'operator.password': 'Password set',
      'operator.reset-credentials': 'Credentials reset',
      'operator.sign-in': 'Signed in',
      'operator.sign-in.failed': 'Sign-in failed',
      'operator.sign-out': 'Signed out',
      'operator.sign-out-everywhere': 'Signed out everywhere',
      'operator.update': 'Operator changed',
      'order.advance': 'Order advanced',
      'reservation.advance': 'Reservation advanced',
      'reservation.release': 'Reservation released',
      'order.cancel': 'Order canceled',
      'order.hold': 'Order held',
      'order.refund': 'Order refunded',
      'order.release': 'Order released',
      'order.replace-key': 'Key replaced',
      'order.return': 'Units returned',
      'order.settle': 'Order settled',
      'payment.retry': 'Payment retried',
      'payout.create': 'Payout booked',
      'product.put': 'Product written',
      'seller.put': 'Seller written',
      'view.delete': 'View deleted',
      'view.put': 'View saved',
      'webhook.create': 'Webhook endpoint created',
      'webhook.delete': 'Webhook endpoint deleted',
      'webhook.redeliver': 'Webhook redelivered',
      'webhook.test': 'Webhook tested',
      'webhook.rotate-secret': 'Webhook secret rotated',
      'webhook.update': 'Webhook endpoint changed',
    },
  },
  system: {
    tabs: { label: 'Parts of the system', state: 'Status', settings: 'Settings', operators: 'Operators' },
    databaseKinds: {
      embedded: (version: string) => `Embedded, PostgreSQL ${version}`,
      postgres: (version: string) => `PostgreSQL ${version}`,
    },
    lags: {
      catalogueSeconds: 'Catalogue in memory',
      eventsSeconds: 'Events',
      webhooksSeconds: 'Webhooks',
      auditSeconds: 'Chain of the audit log',
      archiveSeconds: 'Archive',
    },
    sources: { default: 'Default', environment: 'Environment', file: 'File' },
  },
  operators: {
    roles: {
      viewer: 'Viewer',
      support: 'Support',
      catalogue: 'Catalogue',
      finance: 'Finance',
      admin: 'Admin',
    },
    mays: {
      viewer: 'reads all but codes, secrets, books and addresses of operators',
      support: 'also holds, releases, refunds, replaces keys',
      catalogue: 'also changes products, offers and keys',
      finance: 'also books deposits, corrections, payouts',
      admin: 'everything',
    },
    statuses: { active: 'Active', disabled: 'Disabled' },
  },
  palette: {
    kinds: {
      order: (id: string, account: string) => `Order ${id} of ${account}`,
      reference: (id: string, account: string, reference: string) =>
        `Order ${id} of ${account}: ${reference}`,
      claim: (id: string, account: string) => `Claim ${id.slice(0, 12)} of ${account}`,
      reservation: (id: string, account: string) => `Reservation ${id.slice(0, 12)} of ${account}`,
      trace: () => 'What this request did, in the audit log',
      account: (_: string, name: string) => `Account ${name}`,
      product: (_: string, name: string) => `Product ${name}`,
      offer: (_: string, product: string, seller: string) => `Offer of ${product} from ${seller}`,
      seller: (_: string, name: string) => `Seller ${name}`,
      person: (_: string, name: string, email: string) => `Operator ${name}, ${email}`,
    },
    lists: {
      order: 'orders',
      reference: 'orders with this in the reference',
      claim: 'claims',
      reservation: 'reservations',
      trace: 'entries of the audit log',
      account: 'accounts',
      product: 'products',
      offer: 'offers',
      seller: 'sellers',
      person: 'operators',
    },
    open: (row: string) => `Open ${row}`,
    look: (row: string) => `Look at ${row}`,
    select: (row: string) => `Select ${row}`,
    unselect: (row: string) => `Deselect ${row}`,
  },
} as const;
