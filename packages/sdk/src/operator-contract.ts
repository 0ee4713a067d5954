// Made from the contract by `npm run openapi`. Do not edit.

import type {
  Checkup,
  OrderStatus,
  Pagination,
  Transaction,
  TransactionItem,
  WebhookEndpoint,
  WebhooksQueued,
  WritePreview,
} from './reseller-contract.ts';

export interface AccountStatement {
  /** Lower-case UUID. */
  accountId: string;
  accountName: string;
  /** ISO 4217 currency code. */
  currency: string;
  createdAtFrom: string | null;
  createdAtTo: string | null;
  /** Unsigned decimal as a string (PriceType). */
  openingBalance: string;
  /** Unsigned decimal as a string (PriceType). */
  closingBalance: string;
  /** By kind; below 0 it left the account. With the opening balance they make the closing balance. */
  sums: {
    /** Signed decimal as a string. */
    deposit: string;
    /** Signed decimal as a string. */
    charge: string;
    /** Signed decimal as a string. */
    refund: string;
    /** Signed decimal as a string. */
    adjustment: string;
    /** Signed decimal as a string. */
    payout: string;
  };
}

export interface Approval {
  id: string;
  /** What was asked for. New values may come. Known values: `refundOrder`, `createDeposit`, `createAdjustment`, `createPayout`. */
  operation: 'refundOrder' | 'createDeposit' | 'createAdjustment' | 'createPayout' | (string & {});
  /** What became of the request. */
  status: 'pending' | 'approved' | 'rejected';
  /** What the request would have moved when it was made, in EUR. */
  amount: string;
  /** Lower-case UUID. */
  accountId: string;
  orderId: string | null;
  /** Why it was asked for; payouts have a reference instead. */
  reason: string | null;
  /** The body of the request. */
  body: Record<string, unknown>;
  /** Who asked for it. */
  requestedBy: string;
  /** Whether the requester is disabled now, or has a role that may not do it (demoted). Then it cannot be approved: a new request is needed. */
  requesterStatus: 'active' | 'disabled' | 'demoted';
  /** RFC 3339 date-time in UTC with microseconds. */
  requestedAt: string;
  /** Who approved or rejected it; keyport: the service closed it, because it had become impossible. */
  decidedBy: string | null;
  decidedAt: string | null;
  /** Null while it is pending, and when none was given. */
  decisionReason: string | null;
  /** Pending: what it would do, calculated at most some seconds ago. Approved: what it did. Rejected: what it would have done. */
  preview: WritePreview | null;
  /** Whether the caller may approve it now: it is pending, the role of the caller may do it, and neither the caller nor anyone who created or invited the caller, directly or indirectly, requested it. */
  mayApprove: boolean;
}

export interface Attention {
  heldOrders: {
    /** How many. */
    count: number;
    /** What they add up to, EUR. */
    amount: string;
    oldestAt: string | null;
  };
  openPayments: {
    /** How many. */
    count: number;
    /** What they add up to, EUR. */
    amount: string;
    oldestAt: string | null;
    /** Of orders that were given up before the provider had answered. */
    overdue: number;
  };
  /** Those that the provider has not confirmed. */
  openRefunds: {
    /** How many. */
    count: number;
    /** What they add up to, EUR. */
    amount: string;
    oldestAt: string | null;
  };
  /** Writes that wait for a second person, of those that the caller may approve. */
  approvals: {
    /** How many. */
    count: number;
    /** What they add up to, EUR. */
    amount: string;
    oldestAt: string | null;
  };
  /** Active offers that sold in the last 7 days; at most the 5,000 that sold last. */
  stock: {
    /** Offers without any unit. */
    soldOut: number;
    /** Offers with few units. */
    low: number;
    /** How many are few: KEYPORT_LOW_STOCK_UNITS. */
    unitsMax: number;
    /** At most 20, those with the fewest units first. */
    offers: {
      /** Lower-case UUID. */
      offerId: string;
      /** Product id: 14 digits, the first not 0. */
      productId: string;
      productName: string;
      /** Lower-case UUID. */
      sellerId: string;
      sellerName: string;
      /** On sale. */
      units: number;
      /** When it last sold. */
      soldAt: string;
    }[];
  };
  endpoints: {
    /** Enabled webhook endpoints all of whose attempts have failed since a time. */
    failing: number;
    /** Those that the service disabled because they kept failing or were gone. */
    disabled: number;
    /** At most 20, those that have failed for longest first. */
    items: {
      id: string;
      /** Lower-case UUID. */
      accountId: string;
      accountName: string;
      url: string;
      failingSince: string | null;
      disabledReason: string | null;
    }[];
  };
  /** Those that the last periodic check found broken. */
  invariants: {
    id: string;
    title: string;
    /** Broken rows. */
    broken: number;
    brokenSince: string | null;
  }[];
}

export interface AuditCheck {
  /** Entries looked at. */
  checked: number;
  broken: number;
  /** The first things that are wrong. */
  examples: string[];
  /** To be noted down elsewhere, as anchor of a later check. */
  head: string | null;
}

export interface AuditEntry {
  id: string;
  /** RFC 3339 date-time in UTC with microseconds. */
  at: string;
  /** A client, or a person. */
  clientId: string;
  /** What the person or the client is called now. */
  name?: string;
  /** The role of the operator at that time. */
  role?: string;
  /** Where an operator called from. */
  address?: string;
  action: string;
  /** Lower-case UUID. */
  accountId?: string;
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  orderId?: string;
  traceId?: string;
  data: Record<string, unknown>;
}

export interface Client {
  clientId: string;
  accountId: string | null;
  name: string | null;
  /** Whose client it is. */
  role: 'reseller' | 'operator';
  operatorRole: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin' | null;
  liveSecrets: number;
  /** Where the client may call from; empty: from everywhere. */
  allowedAddresses: string[];
  disabledAt: string | null;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
}

export interface ClientCredentials {
  clientId: string;
  /** Shown once; keep it safe. */
  clientSecret: string;
}

export interface CursorMeta {
  /** For the next page; null when there is none. */
  nextCursor: string | null;
  /** A page can be shorter than `limit`, even empty, while there is more: go on with `nextCursor`. */
  hasMore: boolean;
}

export interface DailyBooks {
  /** ISO 4217 currency code. */
  currency: string;
  /** ISO 8601 calendar date. */
  from: string;
  /** ISO 8601 calendar date. */
  to: string;
  /** Oldest first, without gaps. */
  days: {
    /** ISO 8601 calendar date. */
    date: string;
    /** Unsigned decimal as a string (PriceType). */
    deposits: string;
    /** However they were paid. */
    charges: string;
    /** Those of the charges that the payment provider made. */
    gatewayCharges: string;
    /** Unsigned decimal as a string (PriceType). */
    refunds: string;
    /** Those of the refunds that the payment provider gives. */
    gatewayRefunds: string;
    /** Below 0: in sum they left the balances. */
    adjustments: string;
    /** Unsigned decimal as a string (PriceType). */
    payouts: string;
    /** What resellers have on account at the end of the day. */
    prepaidBalance: string;
  }[];
}

export interface ImportReject {
  /** From 1; the header row of CSV counts. */
  line: number;
  message: string;
}

export interface ImportRestored {
  /** Identifies one run of an import. */
  runId: string;
  /** Offers or keys that the import took off sale. */
  removed: number;
  /** Of these: back on sale, by this request or an earlier one. */
  restored: number;
  /** Of these: left alone, because they were changed since or a later import leaves them out too. */
  kept: number;
}

export interface ImportResult {
  /** All lines, those that were skipped included. */
  read: number;
  written: number;
  unchanged: number;
  rejected: number;
  /** Lines that an earlier import with the same importId had done. */
  skipped: number;
  /** Of those that were done earlier: rejected then. */
  rejectedBefore: number;
  /** The first rejected lines, at most 1000. */
  errors: {
    /** From 1; the header row of CSV counts. */
    line: number;
    message: string;
  }[];
  /** With deleteMissing: offers that were paused, or keys that were withdrawn. */
  removed: number;
  /** With deleteMissing: why nothing was taken off sale. */
  removalRefused?: string;
  /** With deleteMissing: this many would be taken off sale, which needs confirmRemovals. */
  removalsToConfirm?: number;
  /** Of an import of offers or prices: what becomes of prices, new offers apart. */
  prices?: {
    /** Prices that differ from those before. */
    changed: number;
    /** Of these: more than three times the price before, or less than a third of it. */
    outliers: number;
    /** The largest changes first, at most 100. */
    largest: {
      line: number;
      /** Lower-case UUID. */
      offerId: string;
      productName: string;
      sellerName: string;
      /** Unsigned decimal as a string (PriceType). */
      before: string;
      /** Unsigned decimal as a string (PriceType). */
      after: string;
      isOutlier: boolean;
    }[];
  };
  /** The run: it is listed with its rejects, and removals by deleteMissing can be restored. */
  runId: string;
  /** True when nothing of this was kept. */
  dryRun: boolean;
}

export interface ImportRun {
  /** Identifies one run of an import. */
  id: string;
  importId: string | null;
  /** What the lines are. */
  kind: 'sellers' | 'products' | 'offers' | 'prices' | 'keys';
  dryRun: boolean;
  deleteMissing: boolean;
  /** stopped: it broke off; the same importId continues it. */
  state: 'running' | 'stopped' | 'completed';
  /** RFC 3339 date-time in UTC with microseconds. */
  startedAt: string;
  /** When it was completed or broke off. */
  endedAt: string | null;
  /** Who began it. */
  clientId: string;
  /** What the person or the client is called now. */
  name?: string;
  /** What its file is called, if the sender said. */
  fileName: string | null;
  /** Everything up to this line is done. */
  line: number;
  /** Lines that were read. */
  read: number;
  /** Of these: created or changed. */
  written: number;
  /** Of these: as they were. */
  unchanged: number;
  /** Of these: rejected. */
  rejected: number;
  /** Rejected lines that can be listed: the first 10000, for 30 days. */
  rejectsKept: number;
  /** With deleteMissing: taken off sale. */
  removed: number;
  /** Of these: put back. */
  restored: number;
  /** It added or changed something that is kept for 30 days and was not undone. */
  canUndo: boolean;
  undoneAt: string | null;
}

export interface ImportUndone {
  /** Identifies one run of an import. */
  runId: string;
  /** Offers that have the price and the status of before the import. */
  changedBack: number;
  /** Offers that the import added, which are paused. */
  paused: number;
  /** Keys that the import added, which are withdrawn; their codes can be added again. */
  withdrawn: number;
  /** Offers and keys that the import had taken off sale, which are on sale again. */
  restored: number;
  /** Offers and keys left alone: sold, changed or withdrawn since. */
  kept: number;
  /** True when nothing of this was done. */
  dryRun: boolean;
}

export interface InvariantResult {
  id: string;
  title: string;
  /** Rows looked at. */
  checked: number;
  broken: number;
  /** The first broken rows. */
  examples: string[];
}

export interface InvitedOperator {
  /** Id of an operator. */
  id: string;
  name: string;
  email: string;
  /** What the operator may do. */
  role: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin';
  /** Whether the operator can sign in. */
  status: 'active' | 'disabled';
  /** The last request, to some seconds; null: never signed in. */
  lastSeenAt: string | null;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Signs in once. Shown here only: send it to the operator. */
  invitationUrl: string;
  /** RFC 3339 date-time in UTC with microseconds. */
  invitationExpiresAt: string;
}

export interface KeysAdded {
  added: number;
  duplicates: number;
}

export interface KeysWithdrawn {
  /** Keys that were taken out of stock. */
  withdrawn: number;
  /** Units of the offer that are still available. */
  quantity: number;
  /** The codes that were left as they are. The order is the one that has the key. */
  notWithdrawn: {
    /** Place in codes, from 0. */
    index: number;
    /** What the code is instead of unsold in this offer. */
    reason: 'unknown' | 'other-offer' | 'reserved' | 'sold' | 'withdrawn';
    /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
    orderId?: string;
  }[];
}

export interface Operator {
  /** Id of an operator. */
  id: string;
  name: string;
  email: string;
  /** What the operator may do. */
  role: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin';
  /** Whether the operator can sign in. */
  status: 'active' | 'disabled';
  /** The last request, to some seconds; null: never signed in. */
  lastSeenAt: string | null;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
}

export interface OperatorAccount {
  /** Lower-case UUID. */
  id: string;
  name: string;
  /** Account status. */
  status: 'active' | 'suspended' | 'closed';
  paymentMethod: 'balance' | 'gateway' | null;
  gatewayCustomer: string | null;
  /** Unsigned decimal as a string (PriceType). */
  balance: string;
  discountPercent: string;
  holdOrders: boolean;
  sellerId: string | null;
  limits: {
    orderValueMax: string | null;
    dailySpendMax: string | null;
    dailyUnitsMax: number | null;
  };
  /** What counts towards the daily limits on this UTC day. */
  usedToday: {
    /** Unsigned decimal as a string (PriceType). */
    spend: string;
    /** Units of its orders. */
    units: number;
  };
  balanceLowThreshold: string | null;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
}

export interface OperatorChangedOffer {
  /** Lower-case UUID. */
  id: string;
  /** Product id: 14 digits, the first not 0. */
  productId: string;
  /** Lower-case UUID. */
  sellerId: string;
  /** Price in EUR, two decimals. */
  price: string;
  /** Paused offers are not sold. */
  status: 'active' | 'paused';
  /** Units available. */
  quantity: number;
  /** All units that the offer ever had, by state. */
  units: {
    /** On sale while the offer is active; the same as `quantity`. */
    available: number;
    /** Of orders that are not complete yet. */
    reserved: number;
    /** Of orders that are complete or closed. */
    sold: number;
    /** Never sold again. */
    withdrawn: number;
  };
  keysWithdrawn?: {
    /** Keys that were taken out of stock. */
    withdrawn: number;
    /** The codes that were left as they are. The order is the one that has the key. */
    notWithdrawn: {
      /** Place in codes, from 0. */
      index: number;
      /** What the code is instead of unsold in this offer. */
      reason: 'unknown' | 'other-offer' | 'reserved' | 'sold' | 'withdrawn';
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId?: string;
    }[];
  };
  keysAdded?: {
    added: number;
    duplicates: number;
  };
}

export interface OperatorFoundKey {
  key: {
    /** Id of a key; not its code. */
    id: string;
    /** Where it is now. */
    state: 'available' | 'reserved' | 'sold' | 'withdrawn';
    /** The end of the code, at most its last 4 characters. */
    maskedCode: string;
    /** When the reseller first read it. */
    readAt: string | null;
    refundedAt: string | null;
    /** When it left the order for another key. */
    replacedAt: string | null;
    /** The key that the order got instead. */
    replacedBy: string | null;
    /** What the code is. */
    kind: 'text' | 'image';
  };
  /** The order that has the key, or had it until it was withdrawn. */
  order: OperatorOrder | null;
  item: TransactionItem | null;
  product: {
    /** Product id: 14 digits, the first not 0. */
    id: string;
    name: string;
  };
  offer: {
    /** Lower-case UUID. */
    id: string;
    /** Product id: 14 digits, the first not 0. */
    productId: string;
    /** Lower-case UUID. */
    sellerId: string;
    /** Price in EUR, two decimals. */
    price: string;
    /** Paused offers are not sold. */
    status: 'active' | 'paused';
    /** Units available. */
    quantity: number;
  };
  seller: Seller;
}

export interface OperatorKey {
  id: string;
  /** What the code is. */
  kind: 'text' | 'image';
  /** reserved and sold keys belong to an order. */
  state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  /** The end of the code, at most its last 4 characters. */
  maskedCode: string;
  /** The order that has the key. */
  orderId: string | null;
}

export interface OperatorListedClient {
  clientId: string;
  accountId: string | null;
  name: string | null;
  /** Whose client it is. */
  role: 'reseller' | 'operator';
  operatorRole: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin' | null;
  liveSecrets: number;
  /** Where the client may call from; empty: from everywhere. */
  allowedAddresses: string[];
  disabledAt: string | null;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  accountName: string | null;
}

export interface OperatorListedOffer {
  /** Lower-case UUID. */
  id: string;
  /** Product id: 14 digits, the first not 0. */
  productId: string;
  /** Lower-case UUID. */
  sellerId: string;
  /** Price in EUR, two decimals. */
  price: string;
  /** Paused offers are not sold. */
  status: 'active' | 'paused';
  /** Units available. */
  quantity: number;
  /** All units that the offer ever had, by state. */
  units: {
    /** On sale while the offer is active; the same as `quantity`. */
    available: number;
    /** Of orders that are not complete yet. */
    reserved: number;
    /** Of orders that are complete or closed. */
    sold: number;
    /** Never sold again. */
    withdrawn: number;
  };
  productName: string;
  sellerName: string;
}

export interface OperatorListedOrder {
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  id: string;
  status: OrderStatus;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Unsigned decimal as a string (PriceType). */
  discount: string;
  /** Unsigned decimal as a string (PriceType). */
  totalPrice: string;
  /** ISO 4217 currency code. */
  currency: string;
  transactions?: Transaction[];
  /** Lower-case UUID. */
  accountId: string;
  accountName: string;
  /** From elsewhere: it is changed there, and every action here is 409. */
  imported: boolean;
  /** Of an order that is held: why. */
  holdReason: string | null;
  /** Of the request that placed it; null: it was imported. */
  traceId: string | null;
  /** Of an order that is held, in lists that are read by cursor. */
  accountHistory?: {
    /** RFC 3339 date-time in UTC with microseconds. */
    createdAt: string;
    /** Orders of the account, this one included. */
    orders: number;
    /** Of these: refunded in full. */
    refunded: number;
  };
}

export interface OperatorListedProduct {
  /** Product id: 14 digits, the first not 0. */
  id: string;
  name: string;
  slug: string;
  region: string | null;
  developer: string | null;
  publisher: string | null;
  releaseDate: string | null;
  platform: string | null;
  categories: {
    id: string;
    name: string;
  }[] | null;
  requirements: {
    minimal?: {
      processor?: string | null;
      graphics?: string | null;
      memory?: string | null;
      diskSpace?: string | null;
      system?: string | null;
      other?: string | null;
    };
    recommended?: {
      processor?: string | null;
      graphics?: string | null;
      memory?: string | null;
      diskSpace?: string | null;
      system?: string | null;
      other?: string | null;
    };
  } | null;
  restrictions: {
    rating: string;
    descriptors: string[];
  } | null;
  thumbnail: string | null;
  portraitImage: string | null;
  coverImage: string | null;
  images: string[] | null;
  videos: string[] | null;
  /** How it may be sold. */
  checkoutClass: 'standard' | 'in-game-top-up' | 'balance-top-up' | 'game-account' | 'esim' | 'subscription';
  /** Offers that are not paused. */
  activeOffers: number;
  /** Units available in its active offers. */
  quantity: number;
  /** The lowest price of its active offers with stock. */
  minPrice: string | null;
}

export interface OperatorOffer {
  /** Lower-case UUID. */
  id: string;
  /** Product id: 14 digits, the first not 0. */
  productId: string;
  /** Lower-case UUID. */
  sellerId: string;
  /** Price in EUR, two decimals. */
  price: string;
  /** Paused offers are not sold. */
  status: 'active' | 'paused';
  /** Units available. */
  quantity: number;
  /** All units that the offer ever had, by state. */
  units: {
    /** On sale while the offer is active; the same as `quantity`. */
    available: number;
    /** Of orders that are not complete yet. */
    reserved: number;
    /** Of orders that are complete or closed. */
    sold: number;
    /** Never sold again. */
    withdrawn: number;
  };
}

export interface OperatorOfferVersion {
  /** RFC 3339 date-time in UTC with microseconds. */
  at: string;
  /** Price in EUR, two decimals. */
  price: string;
  /** Paused offers are not sold. */
  status: 'active' | 'paused';
}

export interface OperatorOrder {
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  id: string;
  status: OrderStatus;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Unsigned decimal as a string (PriceType). */
  discount: string;
  /** Unsigned decimal as a string (PriceType). */
  totalPrice: string;
  /** ISO 4217 currency code. */
  currency: string;
  transactions?: Transaction[];
  /** Lower-case UUID. */
  accountId: string;
}

export interface OperatorOrderKey {
  /** Id of a key; not its code. */
  id: string;
  /** Where it is now. */
  state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  /** The end of the code, at most its last 4 characters. */
  maskedCode: string;
  /** When the reseller first read it. */
  readAt: string | null;
  refundedAt: string | null;
  /** When it left the order for another key. */
  replacedAt: string | null;
  /** The key that the order got instead. */
  replacedBy: string | null;
  itemId: string;
  refundedAs: 'kept' | 'returned' | 'withdrawn' | null;
}

export interface OperatorOrderWithLog {
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  id: string;
  status: OrderStatus;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Unsigned decimal as a string (PriceType). */
  discount: string;
  /** Unsigned decimal as a string (PriceType). */
  totalPrice: string;
  /** ISO 4217 currency code. */
  currency: string;
  transactions?: Transaction[];
  /** Lower-case UUID. */
  accountId: string;
  accountName: string;
  /** From elsewhere: it is changed there, and every action here is 409. */
  imported: boolean;
  /** Of an order that is held: why. */
  holdReason: string | null;
  /** Of the request that placed it; null: it was imported. */
  traceId: string | null;
  /** Of an order that is held, in lists that are read by cursor. */
  accountHistory?: {
    /** RFC 3339 date-time in UTC with microseconds. */
    createdAt: string;
    /** Orders of the account, this one included. */
    orders: number;
    /** Of these: refunded in full. */
    refunded: number;
  };
  statusLog: StatusChange[];
  /** What was booked back to the reseller, oldest first. */
  refunds: {
    /** RFC 3339 date-time in UTC with microseconds. */
    at: string;
    /** Unsigned decimal as a string (PriceType). */
    amount: string;
  }[];
}

export interface OperatorPayment {
  id: string;
  /** What the payment provider is asked for. */
  kind: 'charge' | 'refund';
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  orderId: string;
  /** Status of the order. */
  orderStatus: 'pending' | 'processing' | 'held' | 'complete' | 'canceled' | 'closed' | 'pending_payment';
  /** Lower-case UUID. */
  accountId: string;
  accountName: string;
  /** Unsigned decimal as a string (PriceType). */
  amount: string;
  /** ISO 4217 currency code. */
  currency: string;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Of a charge: until when its order waits. */
  expiresAt: string | null;
  /** How often the provider was asked by the worker. */
  attempts: number;
  /** RFC 3339 date-time in UTC with microseconds. */
  nextAttemptAt: string;
  /** What the provider said last: `pending`, `unknown` or `no-answer`; null: nothing yet. */
  providerState: string | null;
  /** Why the last attempt failed; null when it did not. */
  lastError: string | null;
  /** The provider's id of the payment, if it is known. */
  reference: string | null;
}

export interface OperatorProduct {
  /** Product id: 14 digits, the first not 0. */
  id: string;
  name: string;
  slug: string;
  region: string | null;
  developer: string | null;
  publisher: string | null;
  releaseDate: string | null;
  platform: string | null;
  categories: {
    id: string;
    name: string;
  }[] | null;
  requirements: {
    minimal?: {
      processor?: string | null;
      graphics?: string | null;
      memory?: string | null;
      diskSpace?: string | null;
      system?: string | null;
      other?: string | null;
    };
    recommended?: {
      processor?: string | null;
      graphics?: string | null;
      memory?: string | null;
      diskSpace?: string | null;
      system?: string | null;
      other?: string | null;
    };
  } | null;
  restrictions: {
    rating: string;
    descriptors: string[];
  } | null;
  thumbnail: string | null;
  portraitImage: string | null;
  coverImage: string | null;
  images: string[] | null;
  videos: string[] | null;
  /** How it may be sold. */
  checkoutClass: 'standard' | 'in-game-top-up' | 'balance-top-up' | 'game-account' | 'esim' | 'subscription';
}

export interface OperatorRejection {
  /** RFC 3339 date-time in UTC with microseconds. */
  rejectedAt: string;
  /** Lower-case UUID. */
  accountId: string;
  accountName: string;
  /** Of the request: finds it in the reseller's own log. */
  idempotencyKey: string;
  /** The product that was asked for; null: the offer does not exist. */
  productId: string | null;
  /** Null: the product does not exist. */
  productName: string | null;
  /** The offer that was asked for; null: any offer of the product. */
  offerId: string | null;
  /** Units that were asked for. */
  quantity: number;
  /** The most that the reseller would have paid for a unit. */
  maxPrice: string;
  code: string;
  /** What the reseller was told. */
  message: string;
  /** The facts of the answer, as the page of the code describes them. */
  data: Record<string, unknown>;
}

export interface OperatorReplacedKey {
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  id: string;
  status: OrderStatus;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Unsigned decimal as a string (PriceType). */
  discount: string;
  /** Unsigned decimal as a string (PriceType). */
  totalPrice: string;
  /** ISO 4217 currency code. */
  currency: string;
  transactions?: Transaction[];
  /** Lower-case UUID. */
  accountId: string;
  /** The key that left the order; it is never sold again. */
  replacedKeyId: string;
  /** The key that the reseller reads now. */
  newKeyId: string;
}

export interface OperatorWebhookAttempt {
  /** RFC 3339 date-time in UTC with microseconds. */
  at: string;
  /** How long the attempt took. */
  durationMs: number;
  /** HTTP status of the response, if one came. */
  statusCode?: number;
  /** Why it failed. */
  error?: string;
  /** How the body of the response begins. */
  responseExcerpt?: string;
  /** The address of the host, if it is not public. Resellers do not see it. */
  address?: string;
}

export interface OperatorWebhookDelivery {
  /** Id of the delivery. */
  id: string;
  /** Id of the event; the header `webhook-id`. */
  eventId: string;
  /** Type of the event. New values may come. Known values: `order.pending_payment`, `order.processing`, `order.held`, `order.complete`, `order.canceled`, `order.closed`, `order.refunded`, `order.keys_expiring`, `account.balance_low`, `account.status_changed`, `webhook.test`. */
  type: 'order.pending_payment' | 'order.processing' | 'order.held' | 'order.complete' | 'order.canceled' | 'order.closed' | 'order.refunded' | 'order.keys_expiring' | 'account.balance_low' | 'account.status_changed' | 'webhook.test' | (string & {});
  /** `failed`: no further attempt will be made. */
  status: 'pending' | 'delivered' | 'failed';
  /** RFC 3339 date-time in UTC with microseconds. */
  nextAttemptAt?: string;
  /** Oldest first; the last 20. */
  attempts: OperatorWebhookAttempt[];
}

export interface OperatorWebhookEndpoint {
  /** Id of the endpoint. */
  id: string;
  /** Where deliveries are sent. */
  url: string;
  types: ('*' | 'order.pending_payment' | 'order.processing' | 'order.held' | 'order.complete' | 'order.canceled' | 'order.closed' | 'order.refunded' | 'order.keys_expiring' | 'account.balance_low' | 'account.status_changed' | 'webhook.test' | (string & {}))[];
  description: string | null;
  /** Whether deliveries are sent. */
  status: 'enabled' | 'disabled';
  /** Why it is disabled; only while it is. */
  disabledReason?: string;
  /** Since when every attempt has failed; only while they do. After 5 days it is disabled. */
  failingSince?: string;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** Lower-case UUID. */
  accountId: string;
  accountName: string;
  /** At most 1000 are counted. */
  pendingDeliveries: number;
  /** At most 1000 are counted. */
  failedDeliveries: number;
}

export interface Seller {
  /** Lower-case UUID. */
  id: string;
  name: string;
}

export interface SellerSales {
  /** ISO 4217 currency code. */
  currency: string;
  /** ISO 8601 calendar date. */
  from: string;
  /** ISO 8601 calendar date. */
  to: string;
  /** The highest net first. */
  sellers: {
    /** Lower-case UUID. */
    sellerId: string;
    sellerName: string;
    /** Orders that were charged. */
    orders: number;
    /** Charges that were booked. */
    turnover: string;
    /** Refunds that were booked. */
    refunds: string;
    /** Turnover less refunds. */
    net: string;
  }[];
}

export interface StatementLine {
  id: string;
  /** Counts the lines of the account, without a gap. */
  number: number;
  /** RFC 3339 date-time in UTC with microseconds. */
  createdAt: string;
  /** What the line is. */
  kind: 'deposit' | 'charge' | 'refund' | 'adjustment' | 'payout';
  /** Signed decimal as a string. */
  amount: string;
  /** Unsigned decimal as a string (PriceType). */
  balance: string;
  /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
  orderId?: string;
  reference?: string;
  /** Of an adjustment. */
  reason?: string;
}

export interface StatementSummary {
  /** ISO 4217 currency code. */
  currency: string;
  createdAtFrom: string | null;
  createdAtTo: string | null;
  /** Unsigned decimal as a string (PriceType). */
  openingBalance: string;
  /** Unsigned decimal as a string (PriceType). */
  closingBalance: string;
  /** By kind; below 0 it left the account. With the opening balance they make the closing balance. */
  sums: {
    /** Signed decimal as a string. */
    deposit: string;
    /** Signed decimal as a string. */
    charge: string;
    /** Signed decimal as a string. */
    refund: string;
    /** Signed decimal as a string. */
    adjustment: string;
    /** Signed decimal as a string. */
    payout: string;
  };
}

export interface StatusChange {
  /** Status before; null: it was new. */
  from: OrderStatus | null;
  to: OrderStatus;
  /** RFC 3339 date-time in UTC with microseconds. */
  at: string;
  /** Who: the id of a person or a client, or the service itself. */
  actor: string;
  /** What the person or the client is called now. */
  actorName?: string;
  reason: string;
}

export interface Summary {
  /** UTC hours or UTC days. */
  bucket: 'hour' | 'day';
  /** The beginning of the first bucket. */
  from: string;
  /** The last moment of the last bucket. */
  to: string;
  /** ISO 4217 currency code. */
  currency: string;
  totals: {
    /** Orders that were placed, whatever became of them. */
    orders: number;
    /** The same orders by the status that they have now. */
    ordersByStatus: {
      pending: number;
      processing: number;
      held: number;
      complete: number;
      canceled: number;
      closed: number;
      pending_payment: number;
    };
    /** Total prices of those that are held. */
    heldAmount: string;
    /** Units of these orders that are paid. */
    units: number;
    /** Units of these orders that were refunded. */
    unitsRefunded: number;
    /** Charges that were booked. */
    turnover: string;
    /** Refunds that were booked. */
    refunds: string;
    /** Requests to create an order that were rejected at checkout. */
    rejections: number;
    /** The most frequent code first. */
    rejectionsByCode: {
      code: string;
      count: number;
    }[];
    /** How often an offer sold its last unit. */
    stockOuts: number;
  };
  /** Oldest first, without gaps. */
  buckets: {
    /** RFC 3339 date-time in UTC with microseconds. */
    from: string;
    /** Orders that were placed, whatever became of them. */
    orders: number;
    /** The same orders by the status that they have now. */
    ordersByStatus: {
      pending: number;
      processing: number;
      held: number;
      complete: number;
      canceled: number;
      closed: number;
      pending_payment: number;
    };
    /** Total prices of those that are held. */
    heldAmount: string;
    /** Units of these orders that are paid. */
    units: number;
    /** Units of these orders that were refunded. */
    unitsRefunded: number;
    /** Charges that were booked. */
    turnover: string;
    /** Refunds that were booked. */
    refunds: string;
    /** Requests to create an order that were rejected at checkout. */
    rejections: number;
    /** The most frequent code first. */
    rejectionsByCode: {
      code: string;
      count: number;
    }[];
    /** How often an offer sold its last unit. */
    stockOuts: number;
  }[];
}

export interface SystemInfo {
  version: string;
  /** Whether it sells in earnest. */
  mode: 'sandbox' | 'live';
  publicUrl: string;
  database: {
    /** embedded: in the process of the service. */
    kind: 'embedded' | 'postgres';
    /** Of PostgreSQL. */
    version: string;
    /** Those that were applied. */
    migrations: string[];
  };
  /** Processes of the service that use this database, as far as they were seen within 35 s. */
  nodes: {
    /** Lower-case UUID. */
    id: string;
    version: string;
    /** RFC 3339 date-time in UTC with microseconds. */
    startedAt: string;
    /** RFC 3339 date-time in UTC with microseconds. */
    seenAt: string;
  }[];
  settings: {
    name: string;
    /** What is in force; null: nothing, or a secret. */
    value: string | null;
    /** Where it is from; environment and file: it is set. */
    source: 'default' | 'environment' | 'file';
    isSecret: boolean;
    description: string;
  }[];
  /** Age of the oldest change that is not done yet, 0 without one: not in the catalogue in memory, not an event, without deliveries, not in the chain of the audit log; of the archive, since when it fails. Null: not known. */
  lag: {
    catalogueSeconds: number | null;
    eventsSeconds: number;
    webhooksSeconds: number;
    auditSeconds: number;
    archiveSeconds: number | null;
  };
  masterKeys: {
    keys: {
      id: string;
      /** In the key file of the node that answers. */
      isInFile: boolean;
      /** New secrets are wrapped with it. */
      isCurrent: boolean;
      /** Secrets under it. */
      wrapped: number;
      /** Nodes that hold it. */
      nodes: number;
    }[];
    /** Secrets from before master keys had ids. */
    unnamed: number;
    runningNodes: number;
  };
  /** The last periodic check; null: none yet, or none configured. */
  lastVerification: {
    /** RFC 3339 date-time in UTC with microseconds. */
    finishedAt: string;
    /** At work, without the rests in between. */
    durationMs: number;
    /** Rows looked at. */
    checked: number;
    invariants: {
      id: string;
      title: string;
      /** Null: the check took too long. */
      broken: number | null;
      brokenSince: string | null;
    }[];
    /** Numbers of broken invariants. */
    broken: string[];
    /** Those whose check took too long. */
    unchecked: string[];
  } | null;
}

export interface TrialBalance {
  /** RFC 3339 date-time in UTC with microseconds. */
  at: string;
  /** ISO 4217 currency code. */
  currency: string;
  accounts: {
    /** prepaid is a reseller's, the others are the house's own. */
    kind: 'prepaid' | 'cash' | 'sales' | 'gateway' | 'adjustments';
    accountId: string | null;
    accountName: string | null;
    /** What left it. */
    debits: string;
    /** What came to it. */
    credits: string;
    /** Credits less debits. */
    balance: string;
  }[];
  /** Debits and credits are equal, so the balance is 0.00. */
  totals: {
    /** What left it. */
    debits: string;
    /** What came to it. */
    credits: string;
    /** Credits less debits. */
    balance: string;
  };
}

/** The operations of operators: what each takes and answers. */
export interface OperatorOperations {
  /** Get a judgement of a reseller's client. As the reseller gets it. The webhook endpoints of its account are tried for it. */
  getClientCheckup: {
    params: {
      /** Client id. */
      clientId: string;
    };
    query?: {
      /** Only what was seen since then, such as the moment when you changed your program. Such as `2026-11-21T09:30:00Z`. */
      since?: string | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Checkup;
    };
  };
  /** Create an account. An account without a payment method can read and cannot order. Its programs need a client: create one next. Send an Idempotency-Key to make a retry safe: without one, a retry creates another account. */
  createAccount: {
    body: {
      name: string;
      paymentMethod: 'balance' | 'gateway' | null;
      gatewayCustomer?: string | null | undefined;
      /** Percentage from 0 to 100, at most 2 decimals. */
      discountPercent?: string | undefined;
      /** Under review: orders are paid and then held. */
      holdOrders?: boolean | undefined;
      sellerId?: string | null | undefined;
      limits?: {
        orderValueMax?: string | null | undefined;
        dailySpendMax?: string | null | undefined;
        dailyUnitsMax?: number | null | undefined;
      } | undefined;
      /** The reseller is told (`account.balance_low`) when the balance falls below it; null: never. */
      balanceLowThreshold?: string | null | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorAccount;
    };
  };
  /** List accounts. By creation time, oldest first, unless `sort` says otherwise. With page numbers and a total, or by cursor: `query`, `status` and `sort` need the cursor. */
  listAccounts: {
    query?: {
      /** Words of the name or the gateway customer, or an id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** Only accounts with this status. */
      status?: 'active' | 'suspended' | 'closed' | undefined;
      /** The order of the list; a minus turns it round. createdAt when it is left out. */
      sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorAccount[];
      meta: Pagination | CursorMeta;
    };
  };
  /** Get an account. With its status, payment method, balance and limits. */
  getAccount: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorAccount;
    };
  };
  /** Change an account. Only the fields that are given change. Null takes a value away. */
  updateAccount: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    body: {
      name?: string | undefined;
      paymentMethod?: 'balance' | 'gateway' | null | undefined;
      gatewayCustomer?: string | null | undefined;
      /** Percentage from 0 to 100, at most 2 decimals. */
      discountPercent?: string | undefined;
      /** Under review: orders are paid and then held. */
      holdOrders?: boolean | undefined;
      sellerId?: string | null | undefined;
      limits?: {
        orderValueMax?: string | null | undefined;
        dailySpendMax?: string | null | undefined;
        dailyUnitsMax?: number | null | undefined;
      } | undefined;
      /** The reseller is told (`account.balance_low`) when the balance falls below it; null: never. */
      balanceLowThreshold?: string | null | undefined;
      /** suspended still reads; every request of a closed one is rejected. */
      status?: 'active' | 'suspended' | 'closed' | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorAccount;
    };
  };
  /** Create a client of an account. The secret is shown once. Send an Idempotency-Key to make a retry safe: without one, a retry creates another client. */
  createClient: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    body: {
      name?: string | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ClientCredentials;
    };
  };
  /** List the clients of an account. Disabled ones too. Secrets are never shown. */
  listClients: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    query?: {
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Client[];
      meta: Pagination;
    };
  };
  /** List the clients of all accounts and of operators. Disabled ones too. Secrets are never shown. */
  listAllClients: {
    query?: {
      /** Words of the name or the client id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      /** Only clients that may call this. */
      role?: 'reseller' | 'operator' | undefined;
      /** Only clients with this status. */
      status?: 'enabled' | 'disabled' | undefined;
      /** The order of the list; a minus turns it round. createdAt when it is left out. */
      sort?: 'createdAt' | '-createdAt' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorListedClient[];
      meta: CursorMeta;
    };
  };
  /** Say where a client may call from, and what an operator's may do. What is left out stays. It counts within 5 seconds on every node: from any other address the client gets no token, and its tokens are rejected. A list that your own client does not fit locks you out. */
  updateClient: {
    params: {
      /** Client id. */
      clientId: string;
    };
    body: {
      allowedAddresses?: readonly string[] | null | undefined;
      /** What an operator's client may do. */
      operatorRole?: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin' | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Client;
    };
  };
  /** Create a client of an operator. For a program that operates the service. The secret is shown here only. */
  createOperatorClient: {
    body: {
      name: string;
      /** What an operator's client may do. */
      operatorRole: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin';
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ClientCredentials;
    };
  };
  /** Give a client a second secret. Both secrets work; a third retires the oldest. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret, which may retire the one in use. */
  createClientSecret: {
    params: {
      /** Client id. */
      clientId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ClientCredentials;
    };
  };
  /** Enable a disabled client again. With the secrets that it had, and with its tokens that have not expired. A client whose secret leaked is better replaced by a new one. A client that is not disabled stays as it is. */
  enableClient: {
    params: {
      /** Client id. */
      clientId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Client;
    };
  };
  /** Disable a client. Its tokens are rejected within 5 seconds on every node. */
  disableClient: {
    params: {
      /** Client id. */
      clientId: string;
    };
    answer: undefined;
  };
  /** Book a deposit. The same reference again answers the first deposit with 200; with another amount it is a conflict. */
  createDeposit: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    body: {
      /** Amount in EUR: a string, above 0, at most 2 decimals. */
      amount: string;
      /** The bank's or your own reference; the same one again answers what was booked first. */
      reference: string;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: StatementLine;
    } | {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** Correct a balance. What is booked is never changed: a correction is a booking of its own. It cannot take more than the balance. The same reference again answers the first adjustment with 200; with anything else different it is a conflict. */
  createAdjustment: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    body: {
      /** credit adds to the balance, debit takes from it. */
      direction: 'credit' | 'debit';
      /** Amount in EUR: a string, above 0, at most 2 decimals. */
      amount: string;
      /** The bank's or your own reference; the same one again answers what was booked first. */
      reference: string;
      /** Why; it stays on the statement. */
      reason: string;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: StatementLine;
    } | {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** Book a payout. Money of the balance that was sent back to the reseller; at most the balance. The same reference again answers the first payout with 200; with another amount it is a conflict. */
  createPayout: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    body: {
      /** Amount in EUR: a string, above 0, at most 2 decimals. */
      amount: string;
      /** The bank's or your own reference; the same one again answers what was booked first. */
      reference: string;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: StatementLine;
    } | {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** List the webhook endpoints of an account. Oldest first, with why one is disabled. Secrets are never shown. */
  listAccountWebhookEndpoints: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: WebhookEndpoint[];
    };
  };
  /** Get a webhook endpoint of an account. As its reseller sees it. */
  getAccountWebhookEndpoint: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
      /** Id of the endpoint. */
      endpointId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: WebhookEndpoint;
    };
  };
  /** List the deliveries to a webhook endpoint of an account. As its reseller sees them, with the address of a host that is not public. */
  listAccountWebhookDeliveries: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
      /** Id of the endpoint. */
      endpointId: string;
    };
    query?: {
      /** Only deliveries with this status. */
      status?: 'pending' | 'delivered' | 'failed' | undefined;
      /** Id of the event. Such as `evt_0000000000000042`. */
      eventId?: string | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorWebhookDelivery[];
      meta: Pagination;
    };
  };
  /** List the webhook endpoints of all accounts. With why one is disabled, and how many deliveries wait or have failed. */
  listAllWebhookEndpoints: {
    query?: {
      /** Words of the URL or the description, or an id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      /** Only endpoints with this status. */
      status?: 'enabled' | 'disabled' | undefined;
      /** true: only those. */
      failing?: 'true' | 'false' | undefined;
      /** The order of the list; a minus turns it round. createdAt when it is left out. */
      sort?: 'createdAt' | '-createdAt' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorWebhookEndpoint[];
      meta: CursorMeta;
    };
  };
  /** Disable or enable a webhook endpoint of an account. Events of the time while it is disabled are not sent later: the reseller can replay them. The reseller cannot enable what an operator disabled. */
  updateAccountWebhookEndpoint: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
      /** Id of the endpoint. */
      endpointId: string;
    };
    body: {
      /** Nothing is sent while it is disabled. What was pending goes on afterwards. */
      status: 'enabled' | 'disabled';
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: WebhookEndpoint;
    };
  };
  /** Send a delivery to a webhook endpoint of an account again. At once, whatever its status, and with retries like the first time. */
  redeliverAccountWebhook: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
      /** Id of the endpoint. */
      endpointId: string;
      /** Id of the delivery. */
      deliveryId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: WebhooksQueued;
    };
  };
  /** Get the statement of an account. Every movement of the prepaid balance from createdAtFrom to createdAtTo, both included, oldest first unless `sort` is DESC, with the balance after it. With `Accept: text/csv` the whole range as a CSV file: its first record is the opening balance and its last one the closing balance. */
  getStatement: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      accountId: string;
    };
    query?: {
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      createdAtFrom?: string | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      createdAtTo?: string | undefined;
      /** ASC oldest first (default), DESC newest first; not of CSV. */
      sort?: 'ASC' | 'DESC' | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: StatementLine[];
      meta: Pagination;
      summary: StatementSummary;
    };
  };
  /** List the statements of all accounts. Of every account the balances before and after the range, both ends included, and the sums between them, by name. With `Accept: text/csv` every movement as a CSV file: the first record of an account is its opening balance and the last one its closing balance; the last record of all is their total. Accounts without a balance and a movement are left out of it. */
  listStatements: {
    query?: {
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      from?: string | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      to?: string | undefined;
      /** Words of the account's name or its gateway customer, or an id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: AccountStatement[];
      meta: CursorMeta;
    };
  };
  /** Get the trial balance. What every ledger account has moved and holds at a moment (now, if none is given), the house accounts first. It adds up to zero. */
  getTrialBalance: {
    query?: {
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      at?: string | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: TrialBalance;
    };
  };
  /** Get what was booked day by day. By UTC days, at most 400. With `Accept: text/csv` as a CSV file. */
  getDailyBooks: {
    query?: {
      /** UTC day, included. Left out: 30 days in all. Such as `2024-03-15`. */
      from?: string | undefined;
      /** UTC day, included. Left out: today. Such as `2024-03-15`. */
      to?: string | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: DailyBooks;
    };
  };
  /** Get what was sold for each seller. Charges and refunds that were booked on UTC days, at most 400, by the seller of the order. With `Accept: text/csv` as a CSV file. */
  getSellerSales: {
    query?: {
      /** UTC day, included. Left out: 30 days in all. Such as `2024-03-15`. */
      from?: string | undefined;
      /** UTC day, included. Left out: today. Such as `2024-03-15`. */
      to?: string | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: SellerSales;
    };
  };
  /** List sellers. By id or by name. */
  listSellers: {
    query?: {
      /** Words of the name, or an id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** The order of the list; a minus turns it round. id when it is left out. */
      sort?: 'id' | '-id' | 'name' | '-name' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Seller[];
      meta: CursorMeta;
    };
  };
  /** List products, on offer or not. By id or by name, with what is on sale of each. */
  listCatalogueProducts: {
    query?: {
      /** Words of the name, or an id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** Only products of this class. */
      checkoutClass?: 'standard' | 'in-game-top-up' | 'balance-top-up' | 'game-account' | 'esim' | 'subscription' | undefined;
      /** The order of the list; a minus turns it round. id when it is left out. */
      sort?: 'id' | '-id' | 'name' | '-name' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorListedProduct[];
      meta: CursorMeta;
    };
  };
  /** List offers, active or paused. By id, or those of a product by price. */
  listOffers: {
    query?: {
      /** Words of the product's name, or an id of the offer, the product or the seller. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      sellerId?: string | undefined;
      /** Product id: 14 digits, the first not 0. Such as `10000004314318`. */
      productId?: string | undefined;
      /** Only offers with this status. */
      status?: 'active' | 'paused' | undefined;
      /** Only offers with at most this many units available. */
      quantityMax?: number | undefined;
      /** true: only active offers that sold in the last 7 days and have at most KEYPORT_LOW_STOCK_UNITS units left. */
      runningOut?: 'true' | undefined;
      /** The order of the list, by id when it is left out; by price only with productId. */
      sort?: 'id' | '-id' | 'price' | '-price' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorListedOffer[];
      meta: CursorMeta;
    };
  };
  /** List the prices and statuses that an offer has had. Each since when, newest first unless `sort` is ASC. */
  listOfferHistory: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    query?: {
      /** ASC oldest first, DESC newest first (default). */
      sort?: 'ASC' | 'DESC' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOfferVersion[];
      meta: CursorMeta;
    };
  };
  /** List the keys of an offer with their states. In the order in which they were added. Never with the codes themselves. */
  listOfferKeys: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    query?: {
      /** An id of a key or of an order. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** Only keys in this state. */
      state?: 'available' | 'reserved' | 'sold' | 'withdrawn' | undefined;
      /** Only keys of this kind. */
      kind?: 'text' | 'image' | undefined;
      /** The order of the list; a minus turns it round. id when it is left out. */
      sort?: 'id' | '-id' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorKey[];
      meta: CursorMeta;
    };
  };
  /** Create or change a seller. 201 when it is new, otherwise 200. */
  putSeller: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      sellerId: string;
    };
    body: {
      name: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Seller;
    };
  };
  /** Get a seller. A seller of the catalogue by its id. */
  getSeller: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      sellerId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Seller;
    };
  };
  /** Create or change a product. Replaces all its details: a field that is left out becomes null. */
  putProduct: {
    params: {
      /** Product id: 14 digits, the first not 0. */
      productId: string;
    };
    body: {
      name: string;
      /** Made from the name when it is left out. */
      slug?: string | undefined;
      region?: string | null | undefined;
      developer?: string | null | undefined;
      publisher?: string | null | undefined;
      releaseDate?: string | null | undefined;
      platform?: string | null | undefined;
      categories?: readonly {
        id: string;
        name: string;
      }[] | null | undefined;
      requirements?: {
        minimal?: {
          processor?: string | null | undefined;
          graphics?: string | null | undefined;
          memory?: string | null | undefined;
          diskSpace?: string | null | undefined;
          system?: string | null | undefined;
          other?: string | null | undefined;
        } | undefined;
        recommended?: {
          processor?: string | null | undefined;
          graphics?: string | null | undefined;
          memory?: string | null | undefined;
          diskSpace?: string | null | undefined;
          system?: string | null | undefined;
          other?: string | null | undefined;
        } | undefined;
      } | null | undefined;
      restrictions?: {
        rating: string;
        descriptors: readonly string[];
      } | null | undefined;
      thumbnail?: string | null | undefined;
      portraitImage?: string | null | undefined;
      coverImage?: string | null | undefined;
      images?: readonly string[] | null | undefined;
      videos?: readonly string[] | null | undefined;
      /** All but standard are rejected at checkout. */
      checkoutClass: 'standard' | 'in-game-top-up' | 'balance-top-up' | 'game-account' | 'esim' | 'subscription';
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorProduct;
    };
  };
  /** Get a product, on offer or not. All its details as they were put, and its checkout class. */
  getCatalogueProduct: {
    params: {
      /** Product id: 14 digits, the first not 0. */
      productId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorProduct;
    };
  };
  /** Create or change an offer. Its product and seller must exist; an offer never moves to another product or seller. */
  putOffer: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    body: {
      /** Product id: 14 digits, the first not 0. */
      productId: string;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      sellerId: string;
      /** Amount in EUR: a string, above 0, at most 2 decimals. */
      price: string;
      /** Paused offers are not sold. */
      status: 'active' | 'paused';
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOffer;
    };
  };
  /** Get an offer. With its price, its status and how many of its units are in each state. */
  getOffer: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOffer;
    };
  };
  /** Change an offer's price, or pause or resume it. What is left out stays as it is. */
  updateOffer: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    body: {
      /** Amount in EUR: a string, above 0, at most 2 decimals. */
      price?: string | undefined;
      /** Paused offers are not sold. */
      status?: 'active' | 'paused' | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOffer;
    };
  };
  /** Change many offers at once: prices, statuses, keys. All of it happens in one transaction, or nothing: then every change that stands in the way is named by its place. In a change keys are withdrawn before others are added. The answer has the offers in the order of the changes. */
  changeOffers: {
    body: {
      /** Of different offers. In all they add at most 1000 keys, and withdraw as many. */
      changes: readonly {
        /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
        offerId: string;
        /** Amount in EUR: a string, above 0, at most 2 decimals. */
        price?: string | undefined;
        /** Paused offers are not sold. */
        status?: 'active' | 'paused' | undefined;
        withdrawKeys?: {
          /** Why, for the audit log. */
          reason: string;
          /** This many unsold keys, those added last first; rejected (409) when there are fewer. */
          quantity?: number | undefined;
          /** With quantity: only keys of this kind. */
          kind?: 'text' | 'image' | undefined;
          /** The keys with these codes, as far as they are unsold. */
          codes?: readonly string[] | undefined;
        } | undefined;
        addKeys?: readonly {
          /** The product key. */
          code: string;
          /** text (default) or image. */
          kind?: 'text' | 'image' | undefined;
        }[] | undefined;
      }[];
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorChangedOffer[];
    };
  };
  /** Add keys to an offer. A code that the service already holds, from whatever seller, is counted as a duplicate and left out. */
  addKeys: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    body: {
      keys: readonly {
        /** The product key. */
        code: string;
        /** text (default) or image. */
        kind?: 'text' | 'image' | undefined;
      }[];
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: KeysAdded;
    };
  };
  /** Take unsold keys of an offer out of stock, for good. Either this many, or those with the given codes. A withdrawn key is never sold again, and adding its code again is a duplicate. */
  withdrawKeys: {
    params: {
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
      offerId: string;
    };
    body: {
      /** Why, for the audit log. */
      reason: string;
      /** This many unsold keys, those added last first; rejected (409) when there are fewer. */
      quantity?: number | undefined;
      /** With quantity: only keys of this kind. */
      kind?: 'text' | 'image' | undefined;
      /** The keys with these codes, as far as they are unsold. */
      codes?: readonly string[] | undefined;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: KeysWithdrawn;
    };
  };
  /** Let every reader of the change feed start over. For after the database was restored from a backup: what resellers have seen since the backup is then not what is stored. Every cursor of before starts from the beginning, on every node within seconds. */
  restartFeeds: {
    body: {
      /** Why, for the audit log. */
      reason: string;
    };
    answer: undefined;
  };
  /** List imports with what came of them. Newest first unless `sort` says otherwise. One that is running is listed too, with how far it is. */
  listImports: {
    query?: {
      /** Words of the importId, the name of the file, the kind or the client id of who began it, or an id. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** Identifies one run of an import. Such as `17`. */
      runId?: string | undefined;
      /** Only runs of this import. */
      importId?: string | undefined;
      /** Only imports of this kind. */
      kind?: 'sellers' | 'products' | 'offers' | 'prices' | 'keys' | undefined;
      /** Only runs in this state. */
      state?: 'running' | 'stopped' | 'completed' | undefined;
      /** Only dry runs, or only others. */
      dryRun?: 'true' | 'false' | undefined;
      /** The order of the list; a minus turns it round. -startedAt when it is left out. */
      sort?: '-startedAt' | 'startedAt' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ImportRun[];
      meta: CursorMeta;
    };
  };
  /** List the rejected lines of an import. In their order, with why. With `Accept: text/csv` all that are kept as a CSV file. */
  listImportRejects: {
    params: {
      /** Identifies one run of an import. */
      runId: string;
    };
    query?: {
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ImportReject[];
      meta: CursorMeta;
    };
  };
  /** Put back on sale what an import with deleteMissing took off sale. Its withdrawn keys become available and its paused offers active again, except those that were changed since or that a later import with deleteMissing leaves out too. Repeating the request changes nothing. */
  restoreImport: {
    params: {
      /** Identifies one run of an import. */
      runId: string;
    };
    body: {
      /** Why, for the audit log. */
      reason: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ImportRestored;
    };
  };
  /** Undo an import of prices, offers or keys. Prices and statuses go back, offers that it added are paused, keys that it added are withdrawn, and what it took off sale goes back on sale. 409 with the reason when something of it was sold or changed since; nothing is undone then. What is ordered while it is being undone is `kept`. Repeating the request does what is left, or changes nothing. */
  undoImport: {
    params: {
      /** Identifies one run of an import. */
      runId: string;
    };
    body: {
      /** Why, for the audit log. */
      reason: string;
      /** true: nothing happens; the response says what would. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: ImportUndone;
    };
  };
  /** List the orders of all accounts. By page numbers with a total, as in the order history, or by cursor: `query`, `productId`, `offerId`, `sellerId`, `imported` and `traceId` need the cursor. */
  listAllOrders: {
    query?: {
      /** An order id, a trace id, an id of an account, a product, an offer or a seller, or words of the name of the account. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** Only orders with this status. */
      status?: 'pending' | 'processing' | 'held' | 'complete' | 'canceled' | 'closed' | 'pending_payment' | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      dateFrom?: string | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      dateTo?: string | undefined;
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. Such as `2174556001234567`. */
      orderId?: string | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
      /** By creation time: ASC oldest first, DESC newest first (default). */
      sort?: 'ASC' | 'DESC' | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      /** Product id: 14 digits, the first not 0. Such as `10000004314318`. */
      productId?: string | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      offerId?: string | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      sellerId?: string | undefined;
      /** false: without the orders that were imported. */
      imported?: 'true' | 'false' | undefined;
      /** Only orders whose keys a request with this trace id read, or which it changed. */
      traceId?: string | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorListedOrder[];
      meta: Pagination | CursorMeta;
    };
  };
  /** Get an order with its status log. The log has every change of the status: when, by whom and why. */
  getAnyOrder: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOrderWithLog;
    };
  };
  /** Hold an order. From pending, pending_payment or processing. */
  holdOrder: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    body: {
      /** Why, for the status log. */
      reason: string;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOrder;
    };
  };
  /** Release a held order. It goes back to where it came from and on from there. */
  releaseOrder: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    body: {
      /** Why, for the status log. */
      reason: string;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOrder;
    };
  };
  /** Cancel an unpaid order. Its units go back to stock. An order that is paid is refunded instead. */
  cancelOrder: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    body: {
      /** Why, for the status log. */
      reason: string;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOrder;
    };
  };
  /** Refund an order, whole or in part. Before delivery only whole. A part gives back the price of its units less their share of the discount; the last refund gives back what is left. */
  refundOrder: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    body: {
      /** Why, for the status log. */
      reason: string;
      /** Left out: everything that is not refunded yet. */
      items?: readonly {
        id: string;
        quantity: number;
        /** The keys to refund, as many as the quantity, of a delivered order. Left out: those delivered last. */
        keyIds?: readonly string[] | undefined;
      }[] | undefined;
      /** Units go back on sale; rejected (409) when a key of theirs was ever read. Without it, units of an order that is not delivered are withdrawn. */
      returnToStock?: boolean | undefined;
      /** The keys of the units leave the order and are never sold again, read or not. Without it, and without returnToStock, delivered ones stay with the order and can still be read while it is complete. */
      withdrawKeys?: boolean | undefined;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOrder;
    } | {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** List the keys of an order, masked. Those that it has, and those that were replaced. Never with the codes themselves. */
  listOrderKeys: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorOrderKey[];
    };
  };
  /** Replace a key of a delivered order. The key that `keyId` or `code` names leaves the order and is never sold again; the order gets another key of the same offer. No money moves. The reseller reads the new key with those of the order, for as long after the replacement as after completion. An order with one key needs neither. */
  replaceKey: {
    params: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
      orderId: string;
    };
    body: {
      /** Why, for the status log. */
      reason: string;
      /** Id of a key; not its code. */
      keyId?: string | undefined;
      /** The code of the key that is to be replaced, instead of its id. */
      code?: string | undefined;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorReplacedKey;
    };
  };
  /** Find the order, the offer and the seller of a key by its code. Letter case, blanks and dashes do not matter. The code is not stored or logged; the audit log has which key was found. */
  findKey: {
    body: {
      /** The product key. */
      code: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorFoundKey;
    };
  };
  /** List the payments that are not settled. Charges whose outcome is open and refunds that the provider has not confirmed, oldest first unless `sort` says otherwise. */
  listPayments: {
    query?: {
      /** An id of a payment, an order or an account, the reference of the provider, or words of the name of the account. All words must be found, each as the beginning of a word; case and accents do not matter. */
      query?: string | undefined;
      /** Only charges, or only refunds. */
      kind?: 'charge' | 'refund' | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      /** The order of the list; a minus turns it round. createdAt when it is left out. */
      sort?: 'createdAt' | '-createdAt' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorPayment[];
      meta: CursorMeta;
    };
  };
  /** Ask the payment provider about a payment now. As the service does by itself, and without waiting for its time: an open charge is looked up and settled, a refund is reported again. */
  retryPayment: {
    params: {
      /** Id of the payment. */
      paymentId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorPayment;
    };
  };
  /** List the orders that checkout rejected. Of the last 30 days, with what was asked for and what the reseller was told; newest first unless `sort` says otherwise. */
  listRejections: {
    query?: {
      /** Only rejections with this code. */
      code?: 'cart-validation-error' | 'insufficient-funds' | 'max-price-exceeded' | 'offer-not-available' | 'payment-not-configured' | 'product-excluded' | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      dateFrom?: string | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      dateTo?: string | undefined;
      /** The order of the list; a minus turns it round. -rejectedAt when it is left out. */
      sort?: '-rejectedAt' | 'rejectedAt' | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: OperatorRejection[];
      meta: CursorMeta;
    };
  };
  /** List writes that wait for a second person, and those that did. Newest first. */
  listApprovals: {
    query?: {
      /** What became of the request. */
      status?: 'pending' | 'approved' | 'rejected' | undefined;
      /** true: only pending requests that the caller may approve. */
      mayApprove?: 'true' | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. Such as `2174556001234567`. */
      orderId?: string | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval[];
      meta: CursorMeta;
    };
  };
  /** Get a write that waits for a second person. While it is pending, `ETag` is the state of its `preview`. */
  getApproval: {
    params: {
      /** Approval id. */
      approvalId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** Approve a write of somebody else, which carries it out. It happens with this approval or not at all, in the state that it meets. Needs the permission that the write itself needs. */
  approveWrite: {
    params: {
      /** Approval id. */
      approvalId: string;
    };
    body: {
      /** Why, for the audit log. */
      reason?: string | undefined;
      /** true: nothing is written; the answer is a preview of what would be. */
      dryRun?: boolean | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** Reject a write that waits, or withdraw your own. It is never carried out. */
  rejectWrite: {
    params: {
      /** Approval id. */
      approvalId: string;
    };
    body: {
      /** Why, for the audit log. */
      reason?: string | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Approval;
    };
  };
  /** List operators. The people who operate the service, oldest first. */
  listOperators: {
    query?: {
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Operator[];
      meta: Pagination;
    };
  };
  /** Create an operator. With a link that signs in once, within 48 hours. It is shown here only: send it to the operator. */
  createOperator: {
    body: {
      name: string;
      email: string;
      /** What the operator may do. */
      role: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin';
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: InvitedOperator;
    };
  };
  /** Get an operator. With the role, the status and the time of the last request. */
  getOperator: {
    params: {
      /** Id of an operator. */
      operatorId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Operator;
    };
  };
  /** Change, disable or enable an operator. It counts from the next request, on every node. Disabling also removes all credentials. The last admin who can sign in stays one. */
  updateOperator: {
    params: {
      /** Id of an operator. */
      operatorId: string;
    };
    body: {
      name?: string | undefined;
      email?: string | undefined;
      /** What the operator may do. */
      role?: 'viewer' | 'support' | 'catalogue' | 'finance' | 'admin' | undefined;
      /** A disabled operator is signed out immediately and loses all credentials. */
      status?: 'active' | 'disabled' | undefined;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Operator;
    };
  };
  /** Make a new link that signs an operator in. It works once, within 48 hours, and replaces earlier ones. It is shown here only. */
  inviteOperator: {
    params: {
      /** Id of an operator. */
      operatorId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: InvitedOperator;
    };
  };
  /** Remove an operator's credentials and make a new link. Ends all sessions and removes the password, passkeys, single sign-on link and earlier links. The new link works once, within 48 hours, and is shown here only. */
  resetOperatorCredentials: {
    params: {
      /** Id of an operator. */
      operatorId: string;
    };
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: InvitedOperator;
    };
  };
  /** List key reveals and operator actions. Newest first, with page numbers and a total, or by cursor: `accountId`, `traceId`, `actionsOnly` and `sort` need the cursor. */
  listAudit: {
    query?: {
      /** Order id: 14 to 16 digits. A string: it can exceed 2^53. Such as `2174556001234567`. */
      orderId?: string | undefined;
      /** UUID, 8-4-4-4-12 hexadecimal digits, any case. Such as `0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111`. */
      accountId?: string | undefined;
      clientId?: string | undefined;
      /** Only entries of this action. */
      action?: 'account.create' | 'account.update' | 'adjustment.create' | 'approval.approve' | 'approval.reject' | 'approval.request' | 'catalogue.restart-feeds' | 'client.create' | 'client.disable' | 'client.enable' | 'client.secret' | 'client.update' | 'deposit.create' | 'import.keys' | 'import.keys.missing' | 'import.keys.restore' | 'import.keys.undo' | 'import.offers' | 'import.offers.missing' | 'import.offers.restore' | 'import.offers.undo' | 'import.prices' | 'import.prices.missing' | 'import.prices.restore' | 'import.prices.undo' | 'import.products' | 'import.products.missing' | 'import.products.restore' | 'import.sellers' | 'import.sellers.missing' | 'import.sellers.restore' | 'keys.add' | 'keys.find' | 'keys.read' | 'keys.withdraw' | 'master-key.rotate' | 'offer.put' | 'offer.update' | 'operator.create' | 'operator.invite' | 'operator.oidc.link' | 'operator.passkey.add' | 'operator.passkey.remove' | 'operator.password' | 'operator.reset-credentials' | 'operator.sign-in' | 'operator.sign-in.failed' | 'operator.sign-out' | 'operator.sign-out-everywhere' | 'operator.update' | 'order.advance' | 'order.cancel' | 'order.hold' | 'order.refund' | 'order.release' | 'order.replace-key' | 'order.settle' | 'payment.retry' | 'payout.create' | 'product.put' | 'seller.put' | 'webhook.create' | 'webhook.delete' | 'webhook.redeliver' | 'webhook.rotate-secret' | 'webhook.update' | undefined;
      /** Trace id of a request. */
      traceId?: string | undefined;
      /** true: without the reads of keys. */
      actionsOnly?: 'true' | 'false' | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      dateFrom?: string | undefined;
      /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
      dateTo?: string | undefined;
      /** ASC oldest first, DESC newest first (default). */
      sort?: 'ASC' | 'DESC' | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Items per page: 10, 20, 50, 100. */
      itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
      /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
      cursor?: string | undefined;
      /** At most this many elements. */
      limit?: number | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: AuditEntry[];
      meta: Pagination | CursorMeta;
    };
  };
  /** Check that no entry of the audit log was removed, changed or moved. Reads the whole log. */
  verifyAudit: {
    query?: {
      /** What an earlier check answered as head: it must still be found. */
      anchor?: string | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: AuditCheck;
    };
  };
  /** Get orders, turnover, refunds and rejections over time. By UTC hours or days, those that hold `from` and `to` included; at most 744 hours or 400 days. Orders are those that were placed in a bucket, so they are what the list of orders shows for the same times; turnover, refunds and rejections are of the time at which they happened. Exact at the moment of the answer. */
  getSummary: {
    query?: {
      /** RFC 3339 date-time or UTC day. Left out: 24 hours or 30 days, the last of which holds `to`. Such as `2026-11-21T09:30:00Z`. */
      from?: string | undefined;
      /** RFC 3339 date-time or UTC day, included. Left out: now. Such as `2026-11-21T09:30:00Z`. */
      to?: string | undefined;
      /** UTC hours or UTC days. */
      bucket?: 'hour' | 'day' | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Summary;
    };
  };
  /** Get what waits for a person. Held orders, payments and refunds that are open, approvals, offers that run out, webhook endpoints that fail, and broken invariants. */
  getAttention: {
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: Attention;
    };
  };
  /** Get what runs: version, mode, database, nodes, settings, master keys, lag, last verification. Version, mode, settings and the lag of the catalogue are those of the node that answers. */
  getSystem: {
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: SystemInfo;
    };
  };
  /** Check every invariant of books, stock, records and the catalogue in memory. The catalogue in memory (I66) is that of the node that answers. */
  verifyInvariants: {
    query?: {
      /** Such as `I12,I24`. */
      only?: string | undefined;
    } | undefined;
    answer: {
      /** Id of this request, to be quoted to the account manager. */
      traceId?: string;
      data: InvariantResult[];
    };
  };
}

/** Method, path, whether it takes an Idempotency-Key, and whether it responds without a body. */
export const OPERATOR_OPERATIONS: Readonly<Record<keyof OperatorOperations, readonly [method: string, path: string, takesKey: boolean, mayBeEmpty: boolean]>> = {
  getClientCheckup: ['GET', '/admin/v1/clients/{clientId}/checkup', false, false],
  createAccount: ['POST', '/admin/v1/accounts', true, false],
  listAccounts: ['GET', '/admin/v1/accounts', false, false],
  getAccount: ['GET', '/admin/v1/accounts/{accountId}', false, false],
  updateAccount: ['PATCH', '/admin/v1/accounts/{accountId}', true, false],
  createClient: ['POST', '/admin/v1/accounts/{accountId}/clients', true, false],
  listClients: ['GET', '/admin/v1/accounts/{accountId}/clients', false, false],
  listAllClients: ['GET', '/admin/v1/clients', false, false],
  updateClient: ['PATCH', '/admin/v1/clients/{clientId}', true, false],
  createOperatorClient: ['POST', '/admin/v1/clients', true, false],
  createClientSecret: ['POST', '/admin/v1/clients/{clientId}/secrets', true, false],
  enableClient: ['POST', '/admin/v1/clients/{clientId}/enable', true, false],
  disableClient: ['DELETE', '/admin/v1/clients/{clientId}', true, true],
  createDeposit: ['POST', '/admin/v1/accounts/{accountId}/deposits', true, false],
  createAdjustment: ['POST', '/admin/v1/accounts/{accountId}/adjustments', true, false],
  createPayout: ['POST', '/admin/v1/accounts/{accountId}/payouts', true, false],
  listAccountWebhookEndpoints: ['GET', '/admin/v1/accounts/{accountId}/webhook-endpoints', false, false],
  getAccountWebhookEndpoint: ['GET', '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}', false, false],
  listAccountWebhookDeliveries: ['GET', '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries', false, false],
  listAllWebhookEndpoints: ['GET', '/admin/v1/webhook-endpoints', false, false],
  updateAccountWebhookEndpoint: ['PATCH', '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}', true, false],
  redeliverAccountWebhook: ['POST', '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver', true, false],
  getStatement: ['GET', '/admin/v1/accounts/{accountId}/statement', false, false],
  listStatements: ['GET', '/admin/v1/books/statements', false, false],
  getTrialBalance: ['GET', '/admin/v1/books', false, false],
  getDailyBooks: ['GET', '/admin/v1/books/daily', false, false],
  getSellerSales: ['GET', '/admin/v1/books/sellers', false, false],
  listSellers: ['GET', '/admin/v1/sellers', false, false],
  listCatalogueProducts: ['GET', '/admin/v1/products', false, false],
  listOffers: ['GET', '/admin/v1/offers', false, false],
  listOfferHistory: ['GET', '/admin/v1/offers/{offerId}/history', false, false],
  listOfferKeys: ['GET', '/admin/v1/offers/{offerId}/keys', false, false],
  putSeller: ['PUT', '/admin/v1/sellers/{sellerId}', true, false],
  getSeller: ['GET', '/admin/v1/sellers/{sellerId}', false, false],
  putProduct: ['PUT', '/admin/v1/products/{productId}', true, false],
  getCatalogueProduct: ['GET', '/admin/v1/products/{productId}', false, false],
  putOffer: ['PUT', '/admin/v1/offers/{offerId}', true, false],
  getOffer: ['GET', '/admin/v1/offers/{offerId}', false, false],
  updateOffer: ['PATCH', '/admin/v1/offers/{offerId}', true, false],
  changeOffers: ['POST', '/admin/v1/offers/changes', true, false],
  addKeys: ['POST', '/admin/v1/offers/{offerId}/keys', true, false],
  withdrawKeys: ['POST', '/admin/v1/offers/{offerId}/keys/withdraw', true, false],
  restartFeeds: ['POST', '/admin/v1/catalogue/restart-feeds', true, true],
  listImports: ['GET', '/admin/v1/imports', false, false],
  listImportRejects: ['GET', '/admin/v1/imports/{runId}/rejects', false, false],
  restoreImport: ['POST', '/admin/v1/imports/{runId}/restore', false, false],
  undoImport: ['POST', '/admin/v1/imports/{runId}/undo', false, false],
  listAllOrders: ['GET', '/admin/v1/orders', false, false],
  getAnyOrder: ['GET', '/admin/v1/orders/{orderId}', false, false],
  holdOrder: ['POST', '/admin/v1/orders/{orderId}/hold', true, false],
  releaseOrder: ['POST', '/admin/v1/orders/{orderId}/release', true, false],
  cancelOrder: ['POST', '/admin/v1/orders/{orderId}/cancel', true, false],
  refundOrder: ['POST', '/admin/v1/orders/{orderId}/refund', true, false],
  listOrderKeys: ['GET', '/admin/v1/orders/{orderId}/keys', false, false],
  replaceKey: ['POST', '/admin/v1/orders/{orderId}/replace-key', true, false],
  findKey: ['POST', '/admin/v1/keys/find', false, false],
  listPayments: ['GET', '/admin/v1/payments', false, false],
  retryPayment: ['POST', '/admin/v1/payments/{paymentId}/retry', true, false],
  listRejections: ['GET', '/admin/v1/rejections', false, false],
  listApprovals: ['GET', '/admin/v1/approvals', false, false],
  getApproval: ['GET', '/admin/v1/approvals/{approvalId}', false, false],
  approveWrite: ['POST', '/admin/v1/approvals/{approvalId}/approve', true, false],
  rejectWrite: ['POST', '/admin/v1/approvals/{approvalId}/reject', true, false],
  listOperators: ['GET', '/admin/v1/operators', false, false],
  createOperator: ['POST', '/admin/v1/operators', true, false],
  getOperator: ['GET', '/admin/v1/operators/{operatorId}', false, false],
  updateOperator: ['PATCH', '/admin/v1/operators/{operatorId}', true, false],
  inviteOperator: ['POST', '/admin/v1/operators/{operatorId}/invite', true, false],
  resetOperatorCredentials: ['POST', '/admin/v1/operators/{operatorId}/reset-credentials', true, false],
  listAudit: ['GET', '/admin/v1/audit', false, false],
  verifyAudit: ['GET', '/admin/v1/audit/verify', false, false],
  getSummary: ['GET', '/admin/v1/summary', false, false],
  getAttention: ['GET', '/admin/v1/attention', false, false],
  getSystem: ['GET', '/admin/v1/system', false, false],
  verifyInvariants: ['GET', '/admin/v1/verify', false, false],
};
