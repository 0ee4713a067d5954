// Made from the contract by `npm run openapi`. Do not edit.

export interface Account {
  /** Lower-case UUID. */
  id: string;
  name: string;
  currency: 'EUR';
  /** Unsigned decimal as a string (PriceType). */
  balance: string;
  paymentMethod: 'balance' | 'gateway' | null;
  /** Percentage taken off every order. */
  discountPercent: string;
  limits: {
    orderValueMax?: string | null;
    dailySpendMax?: string | null;
    dailyUnitsMax?: number | null;
    /** Only in the sandbox: the reads that each of your clients can send in a second; null: the installation's limit. */
    readsPerSecondMax?: number | null;
    /** Only in the sandbox: the orders that each of your clients can send in a second; null: the installation's limit. */
    ordersPerSecondMax?: number | null;
  };
  /** The event `account.balance_low` comes when the balance falls below it; null: never. */
  balanceLowThreshold: string | null;
}

export interface AccountStatusData {
  /** Status of the account. */
  status: 'active' | 'suspended' | 'closed';
}

/** Buy a product: the service picks the offer. */
export interface AutoLine {
  /** Product id: 14 digits, the first not 0. */
  productId: string;
  /** Units to buy. */
  quantity: number;
  /** Highest unit price accepted: a string, above 0, below 100000000000, at most 2 decimals (MaxPrice). */
  maxPrice: string;
}

export interface BalanceLowData {
  /** Unsigned decimal as a string (PriceType). */
  balance: string;
  /** Unsigned decimal as a string (PriceType). */
  threshold: string;
}

export interface CartValidationErrorData {
  /** Which rule. New values may come. Known values: `account-not-active`, `own-offer`, `order-value-max`, `daily-spend-max`, `daily-units-max`. */
  reason: 'account-not-active' | 'own-offer' | 'order-value-max' | 'daily-spend-max' | 'daily-units-max' | (string & {});
  /** The limit that the order would exceed. A decimal string in EUR; of units a whole number. */
  limit?: string | number;
  /** What was already used of a daily limit. A decimal string in EUR; of units a whole number. */
  used?: string | number;
  /** What is left of a daily limit today; it starts again at 00:00 UTC. A decimal string in EUR; of units a whole number. */
  remaining?: string | number;
  /** What this order would add. A decimal string in EUR; of units a whole number. */
  requested?: string | number;
  /** For account-not-active: the status of the account. */
  accountStatus?: string;
}

export interface ChangesMeta {
  /** For the next request. Keep it together with what you have made of the data. */
  nextCursor: string;
  /** There is more already: request the next page at once. */
  hasMore: boolean;
  /** The cursor is of no use any more, and this response is the first one from the beginning: when `hasMore` is false again, drop every product that did not come since. */
  restarted: boolean;
}

export interface Check {
  id: string;
  title: string;
  /** not-seen: there was no occasion for it yet. */
  status: 'passed' | 'failed' | 'not-seen';
  /** Of a failed check: the newest cases. */
  evidence?: {
    /** RFC 3339 date-time in UTC with microseconds. */
    at: string;
    request: string;
    /** Its Idempotency-Key. */
    key?: string;
    /** What it was answered; absent: nothing. */
    status?: number;
    traceId?: string;
    /** What is wrong with it. */
    note: string;
  }[];
  /** How to do it right, or how to give the service an occasion to see it. */
  howTo: string;
  doc: string;
}

export interface Checkup {
  /** Of the checks that there was an occasion for: how many passed, percent. 0 without any. */
  score: number;
  /** Checks that there was an occasion for. */
  seen: number;
  /** When the first of the judged requests came. */
  since?: string;
  /** Requests that were judged. */
  requests: number;
  checks: Check[];
}

export interface ConflictData {
  status?: OrderStatus;
  /** The approval that waits for the same write. */
  approvalId?: string;
  /** Units of the item that are not refunded yet. */
  refundable?: number;
  /** What the account still holds, in EUR. */
  balance?: string;
  /** What was booked under the reference, in EUR. */
  amount?: string;
  /** Units of the offer that are on sale. */
  availableQuantity?: number;
}

/** Exactly one of auto and manual. */
export type CreateOrderItem = CreateOrderItemAuto | CreateOrderItemManual;

export interface CreateOrderItemAuto {
  auto: AutoLine;
}

export interface CreateOrderItemManual {
  manual: ManualLine;
}

export interface CreateOrderRequest {
  /** Exactly one item at present. */
  items: CreateOrderItem[];
  /** Only EUR; may be left out. */
  currency?: 'EUR';
}

/** What happened. */
export type EventType = 'order.pending_payment' | 'order.processing' | 'order.held' | 'order.complete' | 'order.canceled' | 'order.closed' | 'order.refunded' | 'order.keys_expiring' | 'account.balance_low' | 'account.status_changed' | 'webhook.test';

export interface EventsMeta {
  /** For the next request. Keep it together with what you have made of the data. */
  nextCursor: string;
  /** There is more already: request the next page at once. */
  hasMore: boolean;
}

export interface IdempotencyKeyProcessingData {
  /** How long to wait, milliseconds. */
  retryAfterMs: number;
  /** Always true. */
  retryable: boolean;
}

export interface InsufficientFundsData {
  /** What the order costs, in EUR. */
  required: string;
  /** The balance, in EUR. */
  available: string;
}

/** Buy from one offer. */
export interface ManualLine {
  /** UUID, 8-4-4-4-12 hexadecimal digits, any case. */
  offerId: string;
  /** Units to buy. */
  quantity: number;
  /** Highest unit price accepted: a string, above 0, below 100000000000, at most 2 decimals (MaxPrice). */
  maxPrice: string;
}

export interface MaxPriceExceededData {
  /** The offer's price now, in EUR. */
  offerPrice: string;
  /** The ceiling that you gave. */
  maxPrice: string;
}

export interface OfferNotAvailableData {
  /** Of an auto item. `price`: an offer has the quantity, above maxPrice. `stock`: no offer has the quantity. New values may come. Known values: `price`, `stock`. */
  reason?: 'price' | 'stock' | (string & {});
  /** The largest quantity that one offer has now. */
  availableQuantity: number;
  /** The lowest price now, in EUR; absent when nothing is on offer. */
  minPrice?: string;
  /** The quantity that you asked for. */
  quantity: number;
}

export interface Order {
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
}

export interface OrderEventData {
  order: Order;
}

export interface OrderExpiredData {
  /** When the order became complete. */
  completedAt: string;
  /** For how many hours the keys could be read. */
  windowHours: number;
}

export interface OrderKeys {
  item: {
    /** Order item id. */
    id: string;
  };
  keys: {
    /** The product key. */
    code: string;
  }[];
}

export interface OrderKeysExpiringData {
  order: Order;
  /** RFC 3339 date-time in UTC with microseconds. */
  expiresAt: string;
}

export interface OrderNotCompleteData {
  status: OrderStatus;
  /** True while the order can still become complete. */
  retryable: boolean;
}

export interface OrderNotPaidData {
  /** The order that waits. */
  orderId: string;
}

export interface OrderRefundedData {
  order: Order;
  refund: {
    /** Unsigned decimal as a string (PriceType). */
    amount: string;
    items: {
      id: string;
      quantity: number;
    }[];
  };
}

/** Order status. `pending` and `processing`: on its way. `pending_payment`: waits for the payment provider. `held`: waits for a person. `complete`: the keys can be fetched. `canceled`: not paid. `closed`: refunded in full. */
export type OrderStatus = 'pending' | 'processing' | 'held' | 'complete' | 'canceled' | 'closed' | 'pending_payment';

export interface Pagination {
  page: number;
  itemsPerPage: 10 | 20 | 50 | 100;
  totalResults: number;
  hasNext: boolean;
  hasPrevious: boolean;
}

export interface PayloadTooLargeData {
  /** The limit in bytes. */
  limit: number;
}

export interface PaymentWentWrongData {
  /** The canceled order. */
  orderId: string;
}

export interface Product {
  /** Product id: 14 digits, the first not 0. */
  id: string;
  name: string;
  /** Units over all offers. */
  totalQuantity: number;
  /** Price in EUR, two decimals. */
  minPrice: string;
  /** RFC 3339 date-time in UTC with microseconds. */
  updatedAt: string;
  /** The cheapest offers, cheapest first, at most 3. */
  offers: ProductOffer[];
  /** Always EUR. */
  currency: 'EUR';
}

export interface ProductDetail {
  /** Product id: 14 digits, the first not 0. */
  id: string;
  name: string;
  /** Units over all offers. */
  totalQuantity: number;
  minPrice: string | null;
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
  updatedAt: string | null;
  /** Always EUR. */
  currency: 'EUR';
}

export interface ProductExcludedData {
  /** Product id: 14 digits, the first not 0. */
  productId: string;
  /** Its excluded class. */
  checkoutClass: string;
}

export interface ProductNotFoundData {
  /** Product id: 14 digits, the first not 0. */
  productId: string;
}

export interface ProductOffer {
  /** Lower-case UUID. */
  id: string;
  /** Price in EUR, two decimals. */
  price: string;
  /** Units available from this offer. */
  quantity: number;
}

export interface ProductWithOffers {
  /** Product id: 14 digits, the first not 0. */
  id: string;
  name: string;
  /** Units over all offers. */
  totalQuantity: number;
  /** The cheapest offers, cheapest first, at most 3. */
  offers: ProductOffer[];
  /** RFC 3339 date-time in UTC with microseconds. */
  updatedAt: string;
  /** Always EUR. */
  currency: 'EUR';
}

export interface RemovedProduct {
  /** Product id: 14 digits, the first not 0. */
  id: string;
  /** The product is not on offer any more. */
  removed: true;
  /** RFC 3339 date-time in UTC with microseconds. */
  updatedAt: string;
}

export interface RotatedWebhookEndpoint {
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
  /** What deliveries are signed with. Shown this once; keep it safe. */
  secret: string;
  /** Until when deliveries are also signed with the secret that was current before. */
  previousValidUntil: string;
}

export interface SandboxAccount {
  /** Lower-case UUID. */
  id: string;
  name: string;
  currency: 'EUR';
  /** Unsigned decimal as a string (PriceType). */
  balance: string;
  paymentMethod: 'balance' | 'gateway' | null;
  /** Percentage taken off every order. */
  discountPercent: string;
  limits: {
    orderValueMax?: string | null;
    dailySpendMax?: string | null;
    dailyUnitsMax?: number | null;
    /** Only in the sandbox: the reads that each of your clients can send in a second; null: the installation's limit. */
    readsPerSecondMax?: number | null;
    /** Only in the sandbox: the orders that each of your clients can send in a second; null: the installation's limit. */
    ordersPerSecondMax?: number | null;
  };
  /** The event `account.balance_low` comes when the balance falls below it; null: never. */
  balanceLowThreshold: string | null;
  /** Account status. */
  status: 'active' | 'suspended' | 'closed';
}

export interface SandboxOffer {
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

export interface SubError {
  code: ErrorCode;
  /** Path into the request. */
  field?: string;
  message: string;
}

export interface TooManyRequestsData {
  /** How long to wait, milliseconds. */
  retryAfterMs: number;
  /** Requests a second. */
  limit: number;
}

/** The items of one seller. */
export interface Transaction {
  /** Transaction id. */
  id: string;
  seller: {
    /** Lower-case UUID. */
    id: string;
    name?: string;
  };
  items: TransactionItem[];
}

export interface TransactionItem {
  /** Order item id. */
  id: string;
  product: {
    /** Product id: 14 digits, the first not 0. */
    id: string;
    name: string;
  };
  offer: {
    /** Lower-case UUID. */
    id: string;
  };
  quantity: {
    ordered: number;
    /** Units paid. */
    invoiced: number;
    /** Units with a key assigned. */
    shipped: number;
    refunded: number;
  };
  /** Unsigned decimal as a string (PriceType). */
  price: string;
  /** Unsigned decimal as a string (PriceType). */
  totalPrice: string;
}

export interface UriTooLongData {
  /** The limit in bytes. */
  limit: number;
}

export interface WebhookAttempt {
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
}

export interface WebhookDelivery {
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
  attempts: WebhookAttempt[];
}

export interface WebhookEndpoint {
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
}

export interface WebhookEndpointWithSecret {
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
  /** What deliveries are signed with. Shown this once; keep it safe. */
  secret: string;
}

export interface WebhookTest {
  /** Id of the event `webhook.test` that is on its way. */
  eventId: string;
}

export interface WebhookTestData {
  endpointId: string;
}

export interface WebhooksQueued {
  /** How many deliveries are on their way. */
  deliveries: number;
}

export interface WritePreview {
  dryRun: true;
  /** What the balance of the reseller, or the card, gets, in EUR; below 0 it is taken from there. */
  amount: string;
  bookings: {
    /** What is booked. */
    kind: 'deposit' | 'charge' | 'refund' | 'adjustment' | 'payout';
    /** The ledger account that it leaves. */
    from: 'prepaid' | 'cash' | 'sales' | 'gateway' | 'adjustments';
    /** The ledger account that it comes to. */
    to: 'prepaid' | 'cash' | 'sales' | 'gateway' | 'adjustments';
    /** Unsigned decimal as a string (PriceType). */
    amount: string;
  }[];
  /** The balance of the account; null when it stays as it is. */
  balance: {
    /** Unsigned decimal as a string (PriceType). */
    before: string;
    /** Unsigned decimal as a string (PriceType). */
    after: string;
  } | null;
  order: {
    before: Order;
    after: Order;
  } | null;
  units: {
    /** Units that go back on sale. */
    returned: number;
    /** Units whose keys are never sold again. */
    withdrawn: number;
    /** Refunded units that stay with the order: their keys can still be read while it is complete. */
    kept: number;
    /** Units whose keys the order gets. */
    delivered: number;
    /** New units that go on sale. */
    added: number;
  };
  /** Of a refund: ids of the keys that it takes, among those of the order. */
  keyIds?: string[];
  /** Offers with more or fewer units on sale afterwards. */
  stock: {
    /** Lower-case UUID. */
    offerId: string;
    /** Units on sale now. */
    before: number;
    /** Units on sale then. */
    after: number;
  }[];
  /** Offers with another price or status afterwards. */
  offers?: {
    /** Lower-case UUID. */
    offerId: string;
    before: {
      /** Price in EUR, two decimals. */
      price: string;
      status: string;
    };
    after: {
      /** Price in EUR, two decimals. */
      price: string;
      status: string;
    };
  }[];
  /** The codes that were left as they are. The order is the one that has the key. */
  notWithdrawn?: {
    /** Place in codes, from 0. */
    index: number;
    /** What the code is instead of unsold in this offer. */
    reason: 'unknown' | 'other-offer' | 'reserved' | 'sold' | 'withdrawn';
    /** Order id: 14 to 16 digits. A string: it can exceed 2^53. */
    orderId?: string;
  }[];
  /** The write waits for a second person (202): it is above KEYPORT_APPROVAL_ABOVE. */
  needsApproval: boolean;
}

/** Query parameters of `listOrders`: Get the order history. */
export interface ListOrdersQuery {
  /** Order status. `pending` and `processing`: on its way. `pending_payment`: waits for the payment provider. `held`: waits for a person. `complete`: the keys can be fetched. `canceled`: not paid. `closed`: refunded in full. */
  status?: OrderStatus | undefined;
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
}

/** Query parameters of `listProductOffers`: List products with their offers. */
export interface ListProductOffersQuery {
  /** 1 to 20 product ids, as a repeated parameter. */
  productIds?: readonly string[] | undefined;
  /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
  updatedAtFrom?: string | undefined;
  /** RFC 3339 date-time with a zone. Such as `2026-11-21T09:30:00Z`. */
  updatedAtTo?: string | undefined;
  /** Only products whose remaining offers have at least this many units. */
  totalQuantity?: number | undefined;
  /** Highest unit price accepted: a string, above 0, below 100000000000, at most 2 decimals (MaxPrice). Such as `15.00`. */
  maxPrice?: string | undefined;
  /** true: without products that this interface cannot order (`product-excluded`). */
  orderable?: 'true' | 'false' | undefined;
  /** Page number, starting at 1. */
  page?: number | undefined;
  /** Items per page: 10, 20, 50, 100. */
  itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
}

/** Query parameters of `listProductChanges`: Follow the changes of products and offers. */
export interface ListProductChangesQuery {
  /** The `nextCursor` of the previous response, unchanged. Left out: from the beginning. */
  cursor?: string | undefined;
  /** At most this many elements. */
  limit?: number | undefined;
  /** For how many seconds the response may be held while there is nothing new. */
  wait?: number | undefined;
}

/** Query parameters of `getProduct`: Get one product with its offers. */
export interface GetProductQuery {
  /** Only products whose remaining offers have at least this many units. */
  totalQuantity?: number | undefined;
  /** Highest unit price accepted: a string, above 0, below 100000000000, at most 2 decimals (MaxPrice). Such as `15.00`. */
  maxPrice?: string | undefined;
}

/** Query parameters of `getProductOffers`: Get one product with its offers (alias). */
export interface GetProductOffersQuery {
  /** Only products whose remaining offers have at least this many units. */
  totalQuantity?: number | undefined;
  /** Highest unit price accepted: a string, above 0, below 100000000000, at most 2 decimals (MaxPrice). Such as `15.00`. */
  maxPrice?: string | undefined;
}

/** Query parameters of `listProductDetails`: Get product details by ids. */
export interface ListProductDetailsQuery {
  /** 1 to 20 product ids, as a repeated parameter. */
  productIds: readonly string[];
}

/** Query parameters of `listEvents`: Follow what happens to your orders and your account. */
export interface ListEventsQuery {
  /** The `nextCursor` of the previous response, unchanged. `now`: no events, and the `nextCursor` of the present end. Left out: from the oldest event. */
  cursor?: string | undefined;
  /** At most this many elements. */
  limit?: number | undefined;
  /** For how many seconds the response may be held while there is nothing new. */
  wait?: number | undefined;
  /** Only events of these types, as a repeated parameter. */
  types?: readonly EventType[] | undefined;
}

/** Query parameters of `listWebhookDeliveries`: List the deliveries to a webhook endpoint. */
export interface ListWebhookDeliveriesQuery {
  /** Only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Id of the event. Such as `evt_0000000000000042`. */
  eventId?: string | undefined;
  /** Page number, starting at 1. */
  page?: number | undefined;
  /** Items per page: 10, 20, 50, 100. */
  itemsPerPage?: 10 | 20 | 50 | 100 | undefined;
}

/** Query parameters of `getCheckup`: Get a judgement of your client. */
export interface GetCheckupQuery {
  /** Only what was seen since then, such as the moment when you changed your program. Such as `2026-11-21T09:30:00Z`. */
  since?: string | undefined;
}

/** Body of `holdSandboxOrder`: Hold an order, as the marketplace would. */
export interface HoldSandboxOrderBody {
  /** Why, for the status log. */
  reason: string;
}

/** Body of `releaseSandboxOrder`: Release a held order, as the marketplace would. */
export interface ReleaseSandboxOrderBody {
  /** Why, for the status log. */
  reason: string;
}

/** Body of `cancelSandboxOrder`: Cancel an unpaid order, as the marketplace would. */
export interface CancelSandboxOrderBody {
  /** Why, for the status log. */
  reason: string;
}

/** Body of `refundSandboxOrder`: Refund an order, whole or in part, as the marketplace would. */
export interface RefundSandboxOrderBody {
  /** Why, for the status log. */
  reason: string;
  /** Left out: everything that is not refunded yet. */
  items?: readonly {
    id: string;
    quantity: number;
  }[] | undefined;
  /** Units go back on sale; rejected (409) when a key of theirs was ever read. Without it, units of an order that is not delivered are withdrawn. */
  returnToStock?: boolean | undefined;
  /** The keys of the units leave the order and are never sold again, read or not. Without it, and without returnToStock, delivered ones stay with the order and can still be read while it is complete. */
  withdrawKeys?: boolean | undefined;
}

/** Body of `settleSandboxOrder`: Let the payment provider answer for an order that waits for its payment. */
export interface SettleSandboxOrderBody {
  /** What the payment provider says; paid unless you say otherwise. */
  outcome?: 'paid' | 'declined' | undefined;
  /** Why, for the status log. */
  reason?: string | undefined;
}

/** Body of `advanceSandboxOrder`: Let time pass for an order. */
export interface AdvanceSandboxOrderBody {
  /** How far the times of the order move into the past; fractions too. */
  hours: number;
}

/** Body of `updateSandboxAccount`: Change your account. */
export interface UpdateSandboxAccountBody {
  /** The new balance in EUR. The difference is booked as an adjustment. */
  balance?: string | undefined;
  /** Orders of a suspended account are rejected; it still reads. */
  status?: 'active' | 'suspended' | undefined;
  paymentMethod?: 'balance' | 'gateway' | null | undefined;
  /** Percentage from 0 to 100, at most 2 decimals. */
  discountPercent?: string | undefined;
  limits?: {
    orderValueMax?: string | null | undefined;
    dailySpendMax?: string | null | undefined;
    dailyUnitsMax?: number | null | undefined;
    /** The reads that each client of your account can send in a second; null: the installation's limit. */
    readsPerSecondMax?: number | null | undefined;
    /** The orders that each client of your account can send in a second; null: the installation's limit. */
    ordersPerSecondMax?: number | null | undefined;
  } | undefined;
  /** The reseller is told (`account.balance_low`) when the balance falls below it; null: never. */
  balanceLowThreshold?: string | null | undefined;
}

/** Body of `updateSandboxOffer`: Change an offer's price or status, or add keys to it. */
export interface UpdateSandboxOfferBody {
  /** Amount in EUR: a string, above 0, at most 2 decimals. */
  price?: string | undefined;
  /** Paused offers are not sold. */
  status?: 'active' | 'paused' | undefined;
  /** So many new keys with invented codes. */
  addKeys?: number | undefined;
}

/** A code of an error. New ones may come: treat one that you do not know by its `status`. */
export type ErrorCode = keyof ErrorDataByCode | (string & {});

/** What `error.data` holds, by code. */
export interface ErrorDataByCode {
  /** The request is not valid; see errors for each field. */
  'validation-error': undefined;
  /** The request is well formed but cannot be carried out. */
  'validation-failed': undefined;
  /** The account may not place this order. */
  'cart-validation-error': CartValidationErrorData;
  /** No offer can fill this order. */
  'offer-not-available': OfferNotAvailableData;
  /** Keys can be read only when the order is complete. */
  'order-not-complete': OrderNotCompleteData;
  /** The time in which the keys of this order could be read is over. */
  'order-expired': OrderExpiredData;
  /** The offer's price is higher than maxPrice. */
  'max-price-exceeded': MaxPriceExceededData;
  /** Products of this category cannot be ordered through this interface. */
  'product-excluded': ProductExcludedData;
  /** A value is too short or too long. */
  'length-out-of-range': undefined;
  /** A whole number is out of range. */
  'int-out-of-range': undefined;
  /** There is no such order in your account. */
  'order-not-found': undefined;
  /** There is no such product on offer. */
  'product-not-found': ProductNotFoundData;
  /** A valid access token is required. */
  'unauthorized': undefined;
  /** The balance of the account is too low for this order. */
  'insufficient-funds': InsufficientFundsData;
  /** The payment did not go through; the order was canceled. */
  'payment-went-wrong': PaymentWentWrongData;
  /** The account has no payment method. */
  'payment-not-configured': undefined;
  /** The payment provider did not answer in time; the order waits for payment. */
  'order-not-paid': OrderNotPaidData;
  /** A request with this Idempotency-Key is being processed or has just finished. */
  'idempotency-key-processing': IdempotencyKeyProcessingData;
  /** The order was refunded in full: only image keys were left, which this interface does not deliver. */
  'order-auto-refund-image-keys': undefined;
  /** Events after this cursor are no longer kept. Start again without a cursor, and compare your orders with the history. */
  'cursor-expired': undefined;
  /** This Idempotency-Key was already used with a different payload. */
  'idempotency-key-already-used': undefined;
  /** Something went wrong on our side. Quote the traceId when you contact your account manager. */
  'internal-server-error': undefined;
  /** This token may not be used here. */
  'forbidden': undefined;
  /** There is nothing at this address. */
  'not-found': undefined;
  /** This address does not support the method. */
  'method-not-allowed': undefined;
  /** The request did not arrive in time. */
  'request-timeout': undefined;
  /** The present state does not allow this. */
  'conflict': ConflictData;
  /** This changed since the preview; nothing was written. error.data is the present preview. */
  'state-changed': WritePreview;
  /** The body is larger than 64 KiB. */
  'payload-too-large': PayloadTooLargeData;
  /** The URL is longer than 8 KiB. */
  'uri-too-long': UriTooLongData;
  /** The body has a type that this address does not take. */
  'unsupported-media-type': undefined;
  /** Too many requests. */
  'too-many-requests': TooManyRequestsData;
  /** The header block is larger than 16 KiB or has more than 100 lines. */
  'headers-too-large': undefined;
  /** The request has a transfer coding that the service does not know. */
  'not-implemented': undefined;
  /** The service cannot take the request right now. */
  'service-unavailable': undefined;
}

/** Of this package. */
export const SDK_VERSION = '0.3.0';
