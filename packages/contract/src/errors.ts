/** The only table with each code's status; the pages at `error.doc_url` are built from it. */
import { CLAIM_STATUSES, RETURN_REASONS } from '@keyport/core/orders/after-sale';
import { RESERVATION_STATUSES } from '@keyport/core/orders/reservations';
import { type TObject, type TSchema, Type } from 'typebox';
import { DateTime, OfferPrice, OrderId, Price, ProductId, SignedAmount } from './formats.ts';
import { WritePreview } from './operators/previews.ts';
import { OrderStatus } from './orders/orders.ts';
import { count, openEnum, optional } from './schema.ts';

type RetryAdvice = 'change-request' | 'read-order' | 'same-request-later' | 'new-token';

export type ErrorSpec = {
  readonly status: number;
  readonly message: string;
  readonly meaning: string;
  readonly remedy: readonly string[];
  readonly retry?: RetryAdvice;
  /** No other members of an error's data leave the process. */
  readonly data?: TObject;
};

const CART_REASONS = [
  'account-not-active',
  'own-offer',
  'order-value-max',
  'daily-spend-max',
  'daily-units-max',
  'reserved-units-max',
] as const;

function amountOrUnits(description: string) {
  return Type.Union([Price, Type.Integer({ minimum: 0 })], {
    description: `${description} A decimal string in EUR, or a number of units.`,
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
      'The body, a header, a path or a query parameter violates a rule of the contract. Nothing was stored or changed.',
    remedy: [
      'Read `error.errors`: each entry names the field (for example `body.items[0].manual.quantity`) and the rule.',
      'Correct the request. An order can use the same Idempotency-Key: a validation error does not use it up.',
    ],
  },
  'validation-failed': {
    status: 400,
    message: 'The request is well-formed but cannot be carried out.',
    meaning: 'Each part of the request is valid, but they contradict each other or the current state.',
    remedy: ['Read `error.message` and correct the request.'],
  },
  'cart-validation-error': {
    status: 400,
    message: 'The account may not place this order.',
    meaning:
      'A rule of your account prevents the order: the account is suspended, the order exceeds a limit of the account, or the offer is your own.',
    remedy: [
      'Read `error.data.reason` and, for a limit, `error.data.limit` and `error.data.remaining`.',
      'Order less, wait for the next UTC day, or ask your account manager to change the limit.',
      'The rejection is stored with the Idempotency-Key: use a new key for the next attempt.',
    ],
    data: facts('CartValidationErrorData', {
      reason: openEnum(CART_REASONS, 'The rule that was violated.'),
      ...optional({
        limit: amountOrUnits('The limit that the order would exceed.'),
        used: amountOrUnits('The used part of a daily limit, or the units currently reserved.'),
        remaining: amountOrUnits('The remaining part; a daily limit is reset at 00:00 UTC.'),
        requested: amountOrUnits('The amount or units that this order would add.'),
        accountStatus: Type.String({ description: 'For account-not-active: the status of the account.' }),
      }),
    }),
  },
  'offer-not-available': {
    status: 400,
    message: 'No offer can fill this order.',
    meaning:
      'Auto item: no active offer of the product has the full quantity at or below maxPrice. Manual item: the offer is unknown, paused, or has too few units. Units in reservations, also in your own, are not available.',
    remedy: [
      'For an auto item read `error.data.reason`. `price`: raise maxPrice. `stock`: order fewer units or wait.',
      'Compare `error.data.availableQuantity` and `error.data.minPrice` with your request.',
      '`error.data.reservationId`: your own reservation holds units. Order it (`POST /export/v1/reservations/{id}/order`), or release it first.',
      'Read the product again, then order with a new Idempotency-Key: this rejection is stored with the old one.',
    ],
    data: facts('OfferNotAvailableData', {
      reason: Type.Optional(
        openEnum(
          ['price', 'stock'],
          'Auto items only. `price`: an offer has the quantity, but costs more than maxPrice. `stock`: no offer has the quantity.',
        ),
      ),
      availableQuantity: count('The largest quantity that a single offer has now.'),
      minPrice: Type.Optional({
        ...OfferPrice,
        description: 'The lowest current price, in EUR; absent when nothing is on offer.',
      }),
      quantity: count('The requested quantity.'),
      reservationId: Type.Optional(
        Type.String({
          description:
            'An active reservation of your account that holds units of the offer, if there is one.',
          examples: ['rsv_2b7e9c1e53a44c9e9f0f6a4ce5f0d111'],
        }),
      ),
    }),
  },
  'order-not-complete': {
    status: 400,
    message: 'Keys can be read only when the order is complete.',
    meaning: 'The order is still in progress, held, canceled or refunded.',
    remedy: [
      'Read the order (`GET /export/v1/orders/{orderId}`) and look at its status.',
      'If it is pending, pending_payment, processing or held, retry later. If it is canceled or closed, there will be no keys.',
    ],
    retry: 'same-request-later',
    data: facts('OrderNotCompleteData', {
      status: OrderStatus,
      retryable: Type.Boolean({ description: 'True while the order can still become complete.' }),
    }),
  },
  'order-expired': {
    status: 400,
    message: 'The keys window of this order has ended.',
    meaning: 'Keys can be read for a limited time after the order became complete.',
    remedy: [
      'Contact your account manager with the order id. Fetch and store keys as soon as an order is complete.',
    ],
    data: facts('OrderExpiredData', {
      completedAt: { ...DateTime, description: 'When the order became complete.' },
      windowHours: Type.Number({ description: 'The length of the keys window in hours.' }),
    }),
  },
  'max-price-exceeded': {
    status: 400,
    message: "The offer's price is higher than maxPrice.",
    meaning: 'The offer costs more than your maxPrice. Prices change; maxPrice protects you.',
    remedy: [
      'Compare `error.data.offerPrice` with `error.data.maxPrice`.',
      'If the new price is acceptable, order with a higher maxPrice and a new Idempotency-Key.',
    ],
    data: facts('MaxPriceExceededData', {
      offerPrice: { ...OfferPrice, description: "The offer's current price, in EUR." },
      maxPrice: { ...OfferPrice, description: 'Your maxPrice.' },
    }),
  },
  'product-excluded': {
    status: 400,
    message: 'Products of this category cannot be ordered through this interface.',
    meaning:
      'In-game and balance top-ups, game accounts, eSIM products and subscriptions cannot be ordered by clients.',
    remedy: [
      'Remove the product from your range. A different price, quantity or offer of the product does not help.',
    ],
    data: facts('ProductExcludedData', {
      productId: ProductId,
      checkoutClass: Type.String({
        description: 'The excluded class of the product.',
        examples: ['subscription'],
      }),
    }),
  },
  'length-out-of-range': {
    status: 400,
    message: 'A value is too short or too long.',
    meaning: 'The length of a text or list is outside the limits of the contract.',
    remedy: ['Read `error.errors` for the field and its limits.'],
  },
  'int-out-of-range': {
    status: 400,
    message: 'A whole number is out of range.',
    meaning: 'A number is outside the limits of the contract.',
    remedy: ['Read `error.errors` for the field and its limits.'],
  },
  'order-not-found': {
    status: 400,
    message: 'There is no such order in your account.',
    meaning:
      'The order id is unknown, or the order belongs to a different account; the service does not distinguish these.',
    remedy: [
      'Check the id: a string of 14 to 16 digits. Never store it as a floating-point number, which loses digits.',
    ],
  },
  'product-not-found': {
    status: 400,
    message: 'There is no such product on offer.',
    meaning: 'The product id is unknown, or no unit that matches your filters is in stock.',
    remedy: ['Check the id (14 digits). A product that is back in stock has the same id.'],
    data: facts('ProductNotFoundData', { productId: ProductId }),
  },
  unauthorized: {
    status: 401,
    message: 'A valid access token is required.',
    meaning:
      'The Authorization header is missing or malformed, or the token is invalid or expired, or its client was disabled.',
    remedy: [
      'Get a token from `POST /oauth/token` and send it in exactly one header `Authorization: Bearer <token>`.',
      'Get the next token before `expires_in` seconds have passed. If a new token is rejected too, your client was disabled.',
    ],
    retry: 'new-token',
  },
  'insufficient-funds': {
    status: 402,
    message: 'The balance of the account is too low for this order.',
    meaning: 'Your prepaid balance does not cover the order. Nothing was charged.',
    remedy: [
      'Compare `error.data.required` with `error.data.available` and top up the account.',
      'Then order with a new Idempotency-Key: the rejection is stored with the old one.',
    ],
    data: facts('InsufficientFundsData', {
      required: { ...Price, description: 'The total price of the order, in EUR.' },
      available: { ...Price, description: 'The balance, in EUR.' },
    }),
  },
  'payment-went-wrong': {
    status: 402,
    message: 'The payment did not go through; the order was canceled.',
    meaning:
      'The payment provider declined the charge or could not be reached. You pay nothing, and the units were returned to stock.',
    remedy: [
      'Wait a minute, then order with a new Idempotency-Key. If the payment fails again, check the payment method with your account manager.',
    ],
    data: facts('PaymentWentWrongData', { orderId: { ...OrderId, description: 'The canceled order.' } }),
  },
  'payment-not-configured': {
    status: 402,
    message: 'The account has no payment method.',
    meaning: 'Orders are paid with the payment method of the account, but your account has none.',
    remedy: ['Ask your account manager to set one up, then order with a new Idempotency-Key.'],
  },
  'order-not-paid': {
    status: 402,
    message: 'The payment provider did not respond in time; the order is waiting for payment.',
    meaning:
      'The order exists with status pending_payment. The service keeps querying the provider and completes or cancels the order; you are never charged twice.',
    remedy: [
      'Do not order again: read the order (`error.data.orderId`) until it is complete or canceled, within 30 minutes.',
      'If it is held, an operator reviews it: read it occasionally until it is complete, canceled or closed.',
    ],
    retry: 'read-order',
    data: facts('OrderNotPaidData', { orderId: { ...OrderId, description: 'The waiting order.' } }),
  },
  'idempotency-key-processing': {
    status: 409,
    message: 'A request with this Idempotency-Key is being processed or has just finished.',
    meaning: 'The first request with this key is in progress, or its cool-down has not ended.',
    remedy: [
      'Wait for the time in `Retry-After`, then retry with exactly the same request and key.',
      'You then get the stored result. Do not use a new key: the request could take effect twice.',
    ],
    retry: 'same-request-later',
    data: facts('IdempotencyKeyProcessingData', {
      retryAfterMs: count('Time to wait, in milliseconds.'),
      retryable: Type.Boolean({ description: 'Always true.' }),
    }),
  },
  'order-auto-refund-image-keys': {
    status: 410,
    message:
      'The order was refunded in full: only image keys were available, which this interface does not deliver.',
    meaning: 'Only image keys were in stock. The whole amount was refunded.',
    remedy: ['Order a different offer of the product. This order has no keys to fetch.'],
  },
  'cursor-expired': {
    status: 410,
    message:
      'Events after this cursor are no longer kept. Start again without a cursor, and compare your orders with the order history.',
    meaning:
      'Events are deleted after 30 days, and the cursor is older; or the service was restored from a backup after the cursor was created. Events after the cursor may be missing.',
    remedy: [
      'Read `GET /export/v1/orders` from the time of your last event to find what you missed.',
      'Start again without a cursor to get every event that is kept. Skip events whose id you know.',
      'Poll at least once a day to avoid this.',
    ],
  },
  'idempotency-key-already-used': {
    status: 422,
    message: 'This Idempotency-Key was already used with a different payload.',
    meaning:
      'A key belongs to one request. The body, or an id in the path, differs from the first request with this key.',
    remedy: ['Use a new UUID for every new request, and keep the payload unchanged when you retry.'],
  },
  'reservation-expired': {
    status: 409,
    message: 'The reservation has expired; it was not ordered.',
    meaning: 'The reservation was not ordered before its `expiresAt`. Its units are back in stock.',
    remedy: [
      'Reserve or order again, with a new Idempotency-Key; price and stock may have changed.',
      'Renew a reservation (`POST /export/v1/reservations/{reservationId}/renew`) while your customer is still paying.',
    ],
  },
  'reservation-used': {
    status: 409,
    message: 'The reservation has already been ordered.',
    meaning: 'A reservation can be ordered only once; `error.data.orderId` names its order.',
    remedy: [
      'Read the order with this id (`error.data.orderId`).',
      'To retry an order, use the Idempotency-Key of the first attempt: the service then returns that order.',
    ],
    retry: 'read-order',
    data: facts('ReservationUsedData', { orderId: OrderId }),
  },
  'internal-server-error': {
    status: 500,
    message: 'Something went wrong on our side. Quote the traceId when you contact your account manager.',
    meaning:
      'An unexpected fault. No change is left incomplete: an order either exists completely or not at all.',
    remedy: [
      'Retry after a pause. Retry an order with the same Idempotency-Key: it is never placed twice.',
      'If the error persists, contact your account manager and quote the traceId.',
    ],
    retry: 'same-request-later',
  },
  forbidden: {
    status: 403,
    message: 'This token may not be used here.',
    meaning:
      'Operator tokens work only for /admin/v1, reseller tokens only for /export/v1 and /sandbox/v1. An operator may lack the permission named in the message. A client may be limited to certain addresses, and changes only itself.',
    remedy: [
      'Use a client of the right kind, from an address agreed with your account manager.',
      'If `error.data.reason` is `token-too-old`, fetch a new token and send the request again.',
    ],
    data: facts(
      'ForbiddenData',
      optional({
        reason: openEnum(
          ['token-too-old', 'sign-in-too-old', 'csrf-token'],
          'If only the age of the token or of the sign-in prevents the request, or the CSRF token of a session.',
        ),
      }),
    ),
  },
  'not-found': {
    status: 404,
    message: 'There is nothing at this address.',
    meaning:
      'The path is not part of the interface, or the resource that it names does not exist. Paths are case-sensitive and have no trailing slash.',
    remedy: ['Compare the path with the reference at /docs.'],
  },
  'method-not-allowed': {
    status: 405,
    message: 'This address does not support the method.',
    meaning: 'The path exists, but not with this HTTP method.',
    remedy: ['Use one of the methods in the `Allow` header.'],
  },
  'request-timeout': {
    status: 408,
    message: 'The request did not arrive in time.',
    meaning: 'The headers or the body arrived too slowly, and the connection was closed.',
    remedy: ['Retry on a new connection.'],
    retry: 'same-request-later',
  },
  conflict: {
    status: 409,
    message: 'The current state does not allow this.',
    meaning: 'The operation contradicts the current state; nothing was changed.',
    remedy: ['Read the current state and decide again.'],
    data: facts(
      'ConflictData',
      optional({
        status: OrderStatus,
        approvalId: Type.String({ description: 'The pending approval of the same write.', examples: ['17'] }),
        refundable: count('Units of the item that are not refunded yet.'),
        balance: { ...Price, description: 'The remaining balance, in EUR.' },
        amount: {
          ...SignedAmount,
          description: 'The amount booked with this reference, in EUR.',
        },
        availableQuantity: count('Units of the offer that are on sale.'),
        available: count('Keys of the offer that can replace claimed ones.'),
        claimId: Type.String({
          description: 'The open claim for the key.',
          examples: ['clm_2b7e9c1e53a44c9e9f0f6a4ce5f0d111'],
        }),
        codeIndexes: Type.Array(Type.Integer({ minimum: 0 }), {
          description: 'Positions in `codes`, from 0, of the keys that have an open claim: leave them out.',
        }),
        keyIds: Type.Array(Type.String(), {
          description: 'Keys of the claim that have since been refunded or replaced: reject them.',
        }),
        claimStatus: openEnum(
          CLAIM_STATUSES,
          'Status of the claim; only an open one can be decided or withdrawn.',
        ),
        reservationStatus: openEnum(RESERVATION_STATUSES, 'Status of the reservation.'),
        latestExpiresAt: {
          ...DateTime,
          description: 'The latest time until which the reservation can be renewed.',
        },
      }),
    ),
  },
  'claim-window-over': {
    status: 409,
    message: 'The claim window of this order has ended.',
    meaning: "Keys can be claimed for the `claimWindowHours` of your account after the order's completion.",
    remedy: ['Contact your account manager with the order id. Nothing was stored.'],
    data: facts('ClaimWindowOverData', {
      completedAt: { ...DateTime, description: 'When the order became complete.' },
      windowHours: count('The length of the claim window in hours.'),
    }),
  },
  'return-not-possible': {
    status: 409,
    message: 'The units cannot be returned.',
    meaning:
      'Your account offers no returns, its return window has ended, keys of the item were read, or the quantity is too high. Nothing was changed.',
    remedy: [
      'Read `error.data.reason`. `too-many`: return at most `error.data.refundable` units.',
      'If the keys were read and one is faulty, report it: `POST /export/v1/orders/{orderId}/claims`.',
      'The rejection is not stored with the Idempotency-Key.',
    ],
    data: facts('ReturnNotPossibleData', {
      reason: openEnum(
        RETURN_REASONS,
        'The first reason that applies. `not-offered`: your account offers no returns. `window-over`: the return window ended `windowHours` after completion.',
      ),
      windowHours: Type.Optional(count('The length of the return window in hours.')),
      refundable: Type.Optional(count('Units of the item that can be returned.')),
    }),
  },
  'state-changed': {
    status: 412,
    message: 'The state changed since the preview; nothing was written. error.data is the current preview.',
    meaning: 'The write was allowed only in the state that `If-Match` names, and another write came first.',
    remedy: [
      'Check `error.data`, which shows what the write would do now.',
      'If you agree, retry with the `ETag` of this response as `If-Match`.',
    ],
    data: WritePreview,
  },
  'payload-too-large': {
    status: 413,
    message: 'The body is larger than 64 KiB.',
    meaning: 'Bodies are limited to 64 KiB. Only imports (/admin/v1/imports) are streamed without a limit.',
    remedy: ['Send a smaller body.'],
    data: facts('PayloadTooLargeData', { limit: count('The limit in bytes.') }),
  },
  'uri-too-long': {
    status: 414,
    message: 'The URL is longer than 8 KiB.',
    meaning: 'The request line is limited to 8 KiB.',
    remedy: ['Use fewer or shorter query parameters.'],
    data: facts('UriTooLongData', { limit: count('The limit in bytes.') }),
  },
  'unsupported-media-type': {
    status: 415,
    message: 'This endpoint does not accept the media type of the body.',
    meaning: 'Bodies are JSON in UTF-8 without a content encoding (imports: NDJSON or CSV, plain or gzip).',
    remedy: ['Send exactly one `Content-Type: application/json` header and no `Content-Encoding`.'],
  },
  'too-many-requests': {
    status: 429,
    message: 'Too many requests.',
    meaning:
      'Your client reached its limit for this second. Reads and orders have separate limits; tests, redeliveries and replays of webhooks have limits for each account and host.',
    remedy: ['Wait for the time in `Retry-After`. Nothing was carried out or stored.'],
    retry: 'same-request-later',
    data: facts('TooManyRequestsData', {
      retryAfterMs: count('Time to wait, in milliseconds.'),
      limit: Type.Number({ description: 'Requests per second.' }),
    }),
  },
  'headers-too-large': {
    status: 431,
    message: 'The header block is larger than 16 KiB or has more than 100 lines.',
    meaning: 'Headers are limited to 16 KiB and 100 lines.',
    remedy: ['Send fewer or shorter headers.'],
  },
  'not-implemented': {
    status: 501,
    message: 'The service does not support the transfer coding of the request.',
    meaning: 'The only supported transfer coding is `chunked`; the connection was closed.',
    remedy: ['Send the body with `Content-Length` or with `Transfer-Encoding: chunked` alone.'],
  },
  'service-unavailable': {
    status: 503,
    message: 'The service cannot accept the request right now.',
    meaning:
      'The service is starting, stopping, overloaded, or cannot reach its database. The request was most likely not carried out; to find out, retry an order with the same Idempotency-Key: it is never placed twice.',
    remedy: ['Retry after the time in `Retry-After`. Retry an order with the same Idempotency-Key.'],
    retry: 'same-request-later',
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

export function errorSpec(code: ErrorCode): ErrorSpec {
  return ERRORS[code];
}

export const ERROR_CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

export function errorDocPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}
