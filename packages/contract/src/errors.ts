/**
 * The one error catalogue: every code that a response can carry, its HTTP status and what an integrator should do.
 * Statuses appear nowhere else. The pages behind `error.doc_url` are made from it.
 * R2; R3 for the codes that the contract with resellers does not have.
 */
import { type TObject, type TSchema, Type } from 'typebox';
import { count, DateTime, OfferPrice, OrderId, openEnum, Price, ProductId, SignedAmount } from './formats.ts';
import { WritePreview } from './operators/previews.ts';
import { OrderStatus } from './orders/orders.ts';

/** May the same request be sent again? */
type RetryAdvice =
  /** The same request will fail again; change something first. */
  | 'change-request'
  /** The order exists: follow it, and neither repeat nor change the request. */
  | 'read-order'
  /** Send the same request (for an order: with the same Idempotency-Key) again after a pause. */
  | 'same-request-later'
  /** Get a new token, then send the same request. */
  | 'new-token';

export type ErrorSpec = {
  readonly status: number;
  /** The default `error.message`. */
  readonly message: string;
  /** What happened, for the page behind doc_url. */
  readonly meaning: string;
  /** What the integrator should do, step by step. */
  readonly remedy: readonly string[];
  readonly retry: RetryAdvice;
  /** What `error.data` holds. Nothing else leaves the process. */
  readonly data?: TObject;
};

const CART_REASONS = [
  'account-not-active',
  'own-offer',
  'order-value-max',
  'daily-spend-max',
  'daily-units-max',
] as const;

/** Limits are amounts or numbers of units. */
function amountOrUnits(description: string) {
  return Type.Union([Price, Type.Integer({ minimum: 0 })], {
    description: `${description} A decimal string in EUR; of units a whole number.`,
  });
}

function facts<Properties extends Record<string, TSchema>>(title: string, properties: Properties) {
  return Type.Object(properties, { title });
}

export const ERRORS = {
  'validation-error': {
    status: 400,
    message: 'The request is not valid; see errors for each field.',
    meaning:
      'The body, a header, a path or a query parameter breaks a rule of the contract. Nothing was stored or changed.',
    remedy: [
      'Read `error.errors`: each entry names the field (for example `body.items[0].manual.quantity`) and the rule.',
      'Correct the request. For an order you may use the same Idempotency-Key again: a rejected validation does not use it up.',
    ],
    retry: 'change-request',
  },
  'validation-failed': {
    status: 400,
    message: 'The request is well formed but cannot be carried out.',
    meaning:
      'The parts of the request are valid on their own but contradict each other or the present state.',
    remedy: ['Read `error.message` and correct the request.'],
    retry: 'change-request',
  },
  'cart-validation-error': {
    status: 400,
    message: 'The account may not place this order.',
    meaning:
      'A rule of your account stands against the order: the account is suspended, the line exceeds a limit of the account, or the offer is your own.',
    remedy: [
      'Read `error.data.reason` and, for a limit, `error.data.limit` and `error.data.remaining`.',
      'Order less, wait for the next UTC day, or ask your account manager to change the limit.',
      'The rejection is stored under the Idempotency-Key: use a new key for the next attempt.',
    ],
    retry: 'change-request',
    data: facts('CartValidationErrorData', {
      reason: openEnum(CART_REASONS, 'Which rule.'),
      limit: Type.Optional(amountOrUnits('The limit that the order would exceed.')),
      used: Type.Optional(amountOrUnits('What was already used of a daily limit.')),
      remaining: Type.Optional(
        amountOrUnits('What is left of a daily limit today; it starts again at 00:00 UTC.'),
      ),
      requested: Type.Optional(amountOrUnits('What this order would add.')),
      accountStatus: Type.Optional(
        Type.String({ description: 'For account-not-active: the status of the account.' }),
      ),
    }),
  },
  'offer-not-available': {
    status: 400,
    message: 'No offer can fill this order.',
    meaning:
      'For an auto item: no active offer of the product has the whole quantity at or below maxPrice. For a manual item: the offer is unknown, paused, or has too few units.',
    remedy: [
      'For an auto item read `error.data.reason`: raise maxPrice for `price`, order fewer units or wait for `stock`.',
      'Compare `error.data.availableQuantity` and `error.data.minPrice` with your request.',
      'Read the product again, then order with a new Idempotency-Key: this rejection stays stored under the old one.',
    ],
    retry: 'change-request',
    data: facts('OfferNotAvailableData', {
      reason: Type.Optional(
        openEnum(
          ['price', 'stock'],
          'Of an auto item. `price`: an offer has the quantity, above maxPrice. `stock`: no offer has the quantity.',
        ),
      ),
      availableQuantity: count('The largest quantity that one offer has now.'),
      minPrice: Type.Optional({
        ...OfferPrice,
        description: 'The lowest price now, in EUR; absent when nothing is on offer.',
      }),
      quantity: count('The quantity that you asked for.'),
    }),
  },
  'order-not-complete': {
    status: 400,
    message: 'Keys can be read only when the order is complete.',
    meaning:
      'Keys can be read only while the order is complete. It may still be in progress, held, canceled, or refunded.',
    remedy: [
      'Read the order (`GET /export/v1/orders/{orderId}`) and look at its status.',
      'While it is pending, pending_payment, processing or held: retry later. When it is canceled or closed there will be no keys.',
    ],
    retry: 'same-request-later',
    data: facts('OrderNotCompleteData', {
      status: OrderStatus,
      retryable: Type.Boolean({ description: 'True while the order can still become complete.' }),
    }),
  },
  'order-expired': {
    status: 400,
    message: 'The time in which the keys of this order could be read is over.',
    meaning: 'Keys can be read for a limited time after the order became complete.',
    remedy: [
      'Contact your account manager with the order id. Fetch and store keys right after an order completes.',
    ],
    retry: 'change-request',
    data: facts('OrderExpiredData', {
      completedAt: { ...DateTime, description: 'When the order became complete.' },
      windowHours: Type.Number({ description: 'For how many hours the keys could be read.' }),
    }),
  },
  'max-price-exceeded': {
    status: 400,
    message: "The offer's price is higher than maxPrice.",
    meaning:
      'The offer that you named costs more than the ceiling that you gave. Prices change; maxPrice protects you.',
    remedy: [
      'Compare `error.data.offerPrice` with `error.data.maxPrice`.',
      'If the new price is acceptable, order with a higher maxPrice and a new Idempotency-Key.',
    ],
    retry: 'change-request',
    data: facts('MaxPriceExceededData', {
      offerPrice: { ...OfferPrice, description: "The offer's price now, in EUR." },
      maxPrice: { ...OfferPrice, description: 'The ceiling that you gave.' },
    }),
  },
  'product-excluded': {
    status: 400,
    message: 'Products of this category cannot be ordered through this interface.',
    meaning:
      'In-game and balance top-ups, game accounts, eSIM products and subscriptions are blocked for checkout by a program.',
    remedy: [
      'Leave the product out of your assortment. Another price, quantity or offer of the same product does not help.',
    ],
    retry: 'change-request',
    data: facts('ProductExcludedData', {
      productId: ProductId,
      checkoutClass: Type.String({ description: 'Its excluded class.', examples: ['subscription'] }),
    }),
  },
  'length-out-of-range': {
    status: 400,
    message: 'A value is too short or too long.',
    meaning: 'A text or list is outside the length that the contract allows.',
    remedy: ['Read `error.errors` for the field and its bounds.'],
    retry: 'change-request',
  },
  'int-out-of-range': {
    status: 400,
    message: 'A whole number is out of range.',
    meaning: 'A number is outside the bounds that the contract allows.',
    remedy: ['Read `error.errors` for the field and its bounds.'],
    retry: 'change-request',
  },
  'order-not-found': {
    status: 400,
    message: 'There is no such order in your account.',
    meaning:
      'The order id is unknown, or the order belongs to another account; the two are indistinguishable.',
    remedy: [
      'Check the id: a string of 14 to 16 digits. Never keep it as a floating-point number, which loses digits.',
    ],
    retry: 'change-request',
  },
  'product-not-found': {
    status: 400,
    message: 'There is no such product on offer.',
    meaning: 'The product id is unknown, or nothing of it is in stock that matches your filters.',
    remedy: ['Check the id (14 digits). A product that is out of stock comes back under the same id.'],
    retry: 'change-request',
    data: facts('ProductNotFoundData', { productId: ProductId }),
  },
  unauthorized: {
    status: 401,
    message: 'A valid access token is required.',
    meaning:
      'The Authorization header is missing or malformed, or the token is invalid, expired, or its client was disabled.',
    remedy: [
      'Get a token from `POST /oauth/token` and send it as `Authorization: Bearer <token>`, exactly one such header.',
      'Get a new one before `expires_in` seconds have passed. If a fresh token is rejected too, your client was disabled.',
    ],
    retry: 'new-token',
  },
  'insufficient-funds': {
    status: 402,
    message: 'The balance of the account is too low for this order.',
    meaning: 'Your account pays from its prepaid balance, which does not cover the order. Nothing was taken.',
    remedy: [
      'Compare `error.data.required` with `error.data.available` and top up the account.',
      'Then order with a new Idempotency-Key: the rejection stays stored under the old one.',
    ],
    retry: 'change-request',
    data: facts('InsufficientFundsData', {
      required: { ...Price, description: 'What the order costs, in EUR.' },
      available: { ...Price, description: 'The balance, in EUR.' },
    }),
  },
  'payment-went-wrong': {
    status: 402,
    message: 'The payment did not go through; the order was canceled.',
    meaning:
      'The payment provider declined the charge, or could not be reached. You pay nothing, and the units went back to stock.',
    remedy: [
      'Order with a new Idempotency-Key a minute later. If it happens again, check the payment method with your account manager.',
    ],
    retry: 'change-request',
    data: Type.Object(
      { orderId: { ...OrderId, description: 'The canceled order.' } },
      { title: 'PaymentWentWrongData' },
    ),
  },
  'payment-not-configured': {
    status: 402,
    message: 'The account has no payment method.',
    meaning: 'Orders are paid with the payment method of the account, and yours has none yet.',
    remedy: ['Ask your account manager to set one up, then order with a new Idempotency-Key.'],
    retry: 'change-request',
  },
  'order-not-paid': {
    status: 402,
    message: 'The payment provider did not answer in time; the order waits for payment.',
    meaning:
      'The order exists with status pending_payment. The service keeps asking the provider and will complete or cancel the order; it is never charged twice.',
    remedy: [
      'Do not order again: read the order (`error.data.orderId`) until it is complete or canceled, at most 30 minutes.',
      'When it is held, a person looks at it: read it now and then until it is complete, canceled or closed.',
    ],
    retry: 'read-order',
    data: Type.Object(
      { orderId: { ...OrderId, description: 'The order that waits.' } },
      { title: 'OrderNotPaidData' },
    ),
  },
  'idempotency-key-processing': {
    status: 409,
    message: 'A request with this Idempotency-Key is being processed or has just finished.',
    meaning: 'The first request with this key is in flight, or finished less than the cooldown ago.',
    remedy: [
      'Wait as long as the `Retry-After` header says and send exactly the same request with the same key again.',
      'You then get the stored result. Never switch to a new key here: the request could then take effect twice.',
    ],
    retry: 'same-request-later',
    data: facts('IdempotencyKeyProcessingData', {
      retryAfterMs: count('How long to wait, milliseconds.'),
      retryable: Type.Boolean({ description: 'Always true.' }),
    }),
  },
  'order-auto-refund-image-keys': {
    status: 410,
    message:
      'The order was refunded in full: only image keys were left, which this interface does not deliver.',
    meaning: 'The units that could fill the order were pictures of keys. The whole amount was given back.',
    remedy: ['Order another offer of the product. There are no keys to fetch for this order.'],
    retry: 'change-request',
  },
  'cursor-expired': {
    status: 410,
    message:
      'Events after this cursor are no longer kept. Start again without a cursor, and compare your orders with the history.',
    meaning:
      'Events are kept for 30 days and the cursor is older, or the service was restored from a backup since. Events after it may be missing.',
    remedy: [
      'Read `GET /export/v1/orders` from the time of your last event on, to learn what you missed.',
      'Start again without a cursor: you get every event that is kept. Skip those whose id you know.',
      'Poll at least once a day, so that this does not happen again.',
    ],
    retry: 'change-request',
  },
  'idempotency-key-already-used': {
    status: 422,
    message: 'This Idempotency-Key was already used with a different payload.',
    meaning:
      'A key stands for one request. The body, or an id in the path, differs from that of the first request with the key.',
    remedy: ['Use a new UUID for every new request, and keep the payload unchanged when you retry.'],
    retry: 'change-request',
  },
  'internal-server-error': {
    status: 500,
    message: 'Something went wrong on our side. Quote the traceId when you contact your account manager.',
    meaning: 'An unexpected fault. Nothing is half done: an order either exists completely or not at all.',
    remedy: [
      'Send the same request again after a pause, for an order with the same Idempotency-Key: that can never order twice.',
      'If it persists, contact your account manager and quote the traceId.',
    ],
    retry: 'same-request-later',
  },
  forbidden: {
    status: 403,
    message: 'This token may not be used here.',
    meaning:
      'Operator tokens work only under /admin/v1, reseller tokens only under /export/v1 and /sandbox/v1. An operator may lack the permission that the message names. A client may also be limited to certain addresses.',
    remedy: [
      'Use a client of the right kind, from an address that you have agreed on with your account manager.',
    ],
    retry: 'change-request',
  },
  'not-found': {
    status: 404,
    message: 'There is nothing at this address.',
    meaning:
      'The path is not part of the interface, or the thing that it names does not exist. Paths are case-sensitive and have no trailing slash.',
    remedy: ['Compare the path with the reference at /docs.'],
    retry: 'change-request',
  },
  'method-not-allowed': {
    status: 405,
    message: 'This address does not support the method.',
    meaning: 'The path exists, but not with this HTTP method.',
    remedy: ['Use one of the methods in the `Allow` header.'],
    retry: 'change-request',
  },
  'request-timeout': {
    status: 408,
    message: 'The request did not arrive in time.',
    meaning: 'Headers or body came too slowly, and the connection was closed.',
    remedy: ['Send the same request again on a new connection.'],
    retry: 'same-request-later',
  },
  conflict: {
    status: 409,
    message: 'The present state does not allow this.',
    meaning: 'The operation contradicts the state that the thing is in; nothing was changed.',
    remedy: ['Read the thing again and decide from its present state.'],
    retry: 'change-request',
    data: facts('ConflictData', {
      status: Type.Optional(OrderStatus),
      approvalId: Type.Optional(
        Type.String({ description: 'The approval that waits for the same write.', examples: ['17'] }),
      ),
      refundable: Type.Optional(count('Units of the item that are not refunded yet.')),
      balance: Type.Optional({ ...Price, description: 'What the account still holds, in EUR.' }),
      amount: Type.Optional({
        ...SignedAmount,
        description: 'What was booked under the reference, in EUR.',
      }),
      availableQuantity: Type.Optional(count('Units of the offer that are on sale.')),
    }),
  },
  'state-changed': {
    status: 412,
    message: 'This changed since the preview; nothing was written. error.data is the present preview.',
    meaning:
      'The write was to happen only in the state that `If-Match` names, and another one came before it.',
    remedy: [
      'Look at `error.data`, which shows what the write would do now.',
      'If that is what you want, send the request again with the `ETag` of this response as `If-Match`.',
    ],
    retry: 'change-request',
    data: WritePreview,
  },
  'payload-too-large': {
    status: 413,
    message: 'The body is larger than 64 KiB.',
    meaning:
      'Bodies are limited to 64 KiB. Only imports under /admin/v1/imports are streamed without a limit.',
    remedy: ['Send a smaller body.'],
    retry: 'change-request',
    data: facts('PayloadTooLargeData', { limit: count('The limit in bytes.') }),
  },
  'uri-too-long': {
    status: 414,
    message: 'The URL is longer than 8 KiB.',
    meaning: 'The request line is limited to 8 KiB.',
    remedy: ['Use fewer or shorter query parameters.'],
    retry: 'change-request',
    data: facts('UriTooLongData', { limit: count('The limit in bytes.') }),
  },
  'unsupported-media-type': {
    status: 415,
    message: 'The body has a type that this address does not take.',
    meaning:
      'Bodies are JSON in UTF-8 without a content encoding (imports: NDJSON or CSV, as they are or as gzip).',
    remedy: ['Send exactly one `Content-Type: application/json` header and no `Content-Encoding`.'],
    retry: 'change-request',
  },
  'too-many-requests': {
    status: 429,
    message: 'Too many requests.',
    meaning:
      'Your client used up its budget for this second. Reads and orders have separate budgets; tests, redeliveries and replays of webhooks have budgets for each account and host.',
    remedy: ['Wait as long as `Retry-After` says. The request was not carried out and nothing was stored.'],
    retry: 'same-request-later',
    data: facts('TooManyRequestsData', {
      retryAfterMs: count('How long to wait, milliseconds.'),
      limit: Type.Number({ description: 'Requests a second.' }),
    }),
  },
  'headers-too-large': {
    status: 431,
    message: 'The header block is larger than 16 KiB or has more than 100 lines.',
    meaning: 'Headers are limited to 16 KiB and 100 lines.',
    remedy: ['Send fewer or shorter headers.'],
    retry: 'change-request',
  },
  'not-implemented': {
    status: 501,
    message: 'The request has a transfer coding that the service does not know.',
    meaning: 'The only transfer coding of a request is `chunked`; the connection was closed.',
    remedy: ['Send the body with `Content-Length` or with `Transfer-Encoding: chunked` alone.'],
    retry: 'change-request',
  },
  'service-unavailable': {
    status: 503,
    message: 'The service cannot take the request right now.',
    meaning:
      'The service is starting, stopping, cannot reach its database, or has too much to do. The request was most likely not carried out; for an order, repeating it with the same Idempotency-Key finds out and can never order twice.',
    remedy: ['Send the same request again after `Retry-After`, for an order with the same Idempotency-Key.'],
    retry: 'same-request-later',
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

export function errorSpec(code: ErrorCode): ErrorSpec {
  return ERRORS[code];
}

export const ERROR_CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

/** Where the page for a code is served, below the public URL. */
export function errorDocPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}
