import { must } from '@keyport/core/assert';
import { type ErrorCode, errorDocPath, errorSpec } from '../errors.ts';
import type { NamedOperation, OperationName } from '../operations.ts';

export const EXAMPLE_TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** From the demo catalogue. */
const PRODUCT_ID = '10000004314318';
const PRODUCT_NAME = 'Drifting Heron 2: Ultimate Edition (PS5) PlayStation Key GLOBAL';
const OFFER_ID = '584c70de-2fb4-4f88-8d30-059d6aaac894';
const ORDER_ID = '2174556001234567';
const UPDATED_AT = '2026-11-21T09:30:00.123456Z';

const OFFERS = [
  { id: OFFER_ID, price: '6.90', quantity: 41 },
  { id: 'ae452cb7-9c9a-4c41-93a9-55897bb3c91d', price: '6.92', quantity: 7 },
];

const ORDER = {
  id: ORDER_ID,
  status: 'complete',
  createdAt: UPDATED_AT,
  discount: '0.00',
  totalPrice: '13.80',
  currency: 'EUR',
  transactions: [
    {
      id: `${ORDER_ID}-1`,
      seller: { id: '08fb7250-057e-4ec1-a193-999155a1b6f7', name: 'Bazar Klucz' },
      items: [
        {
          id: `${ORDER_ID}01`,
          product: { id: PRODUCT_ID, name: PRODUCT_NAME },
          offer: { id: OFFER_ID },
          quantity: { ordered: 2, invoiced: 2, shipped: 2, refunded: 0 },
          price: '6.90',
          totalPrice: '13.80',
        },
      ],
    },
  ],
};

const MEMBER = {
  id: 'mem_0b7e9c1e53a44c9e9f0f6a4c',
  name: 'Ada Byron',
  email: 'ada@shop.example',
  role: 'buyer',
  status: 'invited',
  lastSeenAt: null,
};

const RESERVATION = {
  id: 'rsv_2b7e9c1e53a44c9e9f0f6a4ce5f0d111',
  status: 'active',
  createdAt: UPDATED_AT,
  expiresAt: '2026-11-21T09:45:00.123456Z',
  item: { productId: PRODUCT_ID, offerId: OFFER_ID, quantity: 2, price: '6.90', totalPrice: '13.80' },
  discount: '0.00',
  totalPrice: '13.80',
  currency: 'EUR',
};

const PRODUCT_WITH_OFFERS = {
  id: PRODUCT_ID,
  name: PRODUCT_NAME,
  totalQuantity: 48,
  offers: OFFERS,
  updatedAt: UPDATED_AT,
  currency: 'EUR',
};

const { offers, updatedAt, currency, ...PRODUCT_HEAD } = PRODUCT_WITH_OFFERS;
const PRODUCT = { ...PRODUCT_HEAD, minPrice: '6.90', updatedAt, offers, currency };

const PRODUCT_DETAIL = {
  ...PRODUCT_HEAD,
  minPrice: '6.90',
  slug: 'drifting-heron-2-ultimate-edition-ps5-playstation-key-global',
  region: 'Global',
  developer: 'Upper Deck Tram',
  publisher: 'Silverbark',
  releaseDate: '2016-08-14',
  platform: 'PlayStation',
  categories: [{ id: '105', name: 'Simulation' }],
  requirements: {
    minimal: { processor: '4 cores, 2.5 GHz', memory: '8 GB', graphics: null, diskSpace: '20 GB' },
  },
  restrictions: { rating: 'PEGI 16', descriptors: ['Violence'] },
  thumbnail: 'https://shop.example/images/drifting-heron-58.png',
  portraitImage: 'https://shop.example/images/drifting-heron-230.png',
  coverImage: 'https://shop.example/images/drifting-heron.png',
  images: [],
  videos: null,
  updatedAt,
  currency,
};

const EVENT = {
  id: 'evt_0e2k8v3q1m9ds',
  apiVersion: 'v1',
  type: 'order.complete',
  createdAt: '2026-11-21T09:30:00.131072Z',
  data: { order: ORDER },
};

const OWN_ACCOUNT = {
  id: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e11',
  name: 'Key shop',
  status: 'active',
  currency: 'EUR',
  balance: '250.00',
  paymentMethod: 'balance',
  discountPercent: '2.50',
  limits: { orderValueMax: '500.00', dailySpendMax: null, dailyUnitsMax: 1000 },
  usedToday: { spend: '13.80', units: 2 },
  balanceLowThreshold: '50.00',
  returnWindowHours: 24,
  claimWindowHours: 720,
};

const CLAIM = {
  id: 'clm_2b7e9c1e53a44c9e9f0f6a4ce5f0d111',
  orderId: ORDER_ID,
  itemId: `${ORDER_ID}01`,
  reason: 'already-used',
  message: 'The shop says that it was redeemed a week ago.',
  status: 'open',
  keys: [{ id: '1', masked: '…CCCC', outcome: null }],
  createdAt: UPDATED_AT,
};

const DECIDED = {
  status: 'decided',
  keys: [{ id: '1', masked: '…CCCC', outcome: 'replaced' }],
  decidedAt: '2026-11-21T10:30:00.123456Z',
  answer: "Sorry. The order's keys now include a replacement.",
};

const ENDPOINT = {
  id: 'whe_7c1tqk0m9w2v4x8z',
  url: 'https://shop.example/keyport',
  types: ['order.complete', 'order.refunded'],
  description: 'Shop server',
  status: 'enabled',
  createdAt: UPDATED_AT,
};

const ENDPOINT_WITH_SECRET = { ...ENDPOINT, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };
const CLIENT_ID = 'reseller_5f0c1d2e3a4b5c6d7e8f9a0b';
const LAST_PAGE = { nextCursor: null, hasMore: false };

/** Examples by the titles of their schemas. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Account: OWN_ACCOUNT,
  ChangesMeta: {
    nextCursor: 'AX4KZ0TVeE5vjf1oN5k7bV0ABmDGATI4QAAGYMYBP6qnCUgrKA',
    hasMore: false,
    restarted: false,
  },
  Checkup: {
    score: 50,
    seen: 2,
    since: UPDATED_AT,
    requests: 12,
    checks: [
      {
        id: 'order-retries',
        title: 'A retried order has the same key and the same payload',
        status: 'failed',
        evidence: [
          {
            at: UPDATED_AT,
            request: 'POST /export/v1/orders',
            key: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
            status: 201,
            traceId: EXAMPLE_TRACE_ID,
            note: 'A new key for the same product, while it was unknown whether the order with the key 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d110 was placed.',
          },
        ],
        howTo: 'Keep the key with the order until its outcome is known, and retry with it.',
        doc: 'https://keyport.example/docs/checkup#order-retries',
      },
    ],
  },
  ChangedMember: { ...MEMBER, role: 'developer' },
  Claim: CLAIM,
  CursorMeta: LAST_PAGE,
  DayOfSpend: { date: '2026-11-21', orders: 1, units: 2, charged: '13.80', refunded: '0.00' },
  ListMeta: LAST_PAGE,
  Matches: { count: 2, isAtLeast: false, sums: [{ currency: 'EUR', amount: '250.00' }] },
  Event: EVENT,
  EventsMeta: { nextCursor: 'AX4KZ0TVeE5vjf1oN5k7bV0ZEiwAAAAAA9wrGQ', hasMore: false },
  LoggedRequest: {
    id: 'req_0b7e9c1e53a44c9e9f0f6a4ce5f0d111',
    at: UPDATED_AT,
    clientId: CLIENT_ID,
    method: 'POST',
    path: '/export/v1/orders',
    query: '',
    status: 400,
    code: 'validation-error',
    traceId: EXAMPLE_TRACE_ID,
    durationMs: 3,
    idempotencyKey: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
    address: '192.0.2.17',
    userAgent: 'keyport-sdk/0.3.0',
    requestBody: '{"items":[{"auto":{"productId":"10000004314318","quantity":0,"maxPrice":"7.00"}}]}',
    responseBody: '{"error":{"code":"validation-error"}}',
  },
  InvitedMember: {
    ...MEMBER,
    invitationUrl: 'https://keyport.example/portal/sign-in#token=EXAMPLE',
    invitationExpiresAt: '2026-11-23T09:30:00.123456Z',
  },
  LoggedRequestsMeta: { ...LAST_PAGE, omitted: 0 },
  Member: MEMBER,
  Order: ORDER,
  OrderKeys: {
    item: { id: `${ORDER_ID}01` },
    keys: [{ code: 'AAAAA-BBBBB-CCCCC' }, { code: 'DDDDD-EEEEE-FFFFF' }],
  },
  OrderTimeline: {
    changes: [{ at: UPDATED_AT, status: 'complete' }],
    refunds: [],
    keysReadAt: null,
    keysReadableUntil: '2026-11-23T09:30:00.123456Z',
    returnableUntil: '2026-11-22T09:30:00.123456Z',
    claimableUntil: '2026-12-21T09:30:00.123456Z',
  },
  OwnClient: {
    clientId: CLIENT_ID,
    name: 'Shop server',
    liveSecrets: 1,
    allowedAddresses: ['192.0.2.0/24'],
    disabledAt: null,
    createdAt: UPDATED_AT,
    access: 'full',
  },
  Pagination: { page: 1, itemsPerPage: 100, totalResults: 1, hasNext: false, hasPrevious: false },
  Product: PRODUCT,
  ProductDetail: PRODUCT_DETAIL,
  ProductWithOffers: PRODUCT_WITH_OFFERS,
  RemovedProduct: { id: '10000000000024', removed: true, updatedAt: '2026-11-21T09:30:01.004711Z' },
  RequestCount: { minute: '2026-11-21T09:30:00.000000Z', operation: 'getProduct', count: 118 },
  Reservation: RESERVATION,
  RotatedClient: {
    clientId: CLIENT_ID,
    clientSecret: 'kpsec_3q2-7wEXAMPLEnotARealSecret0000000000000000',
    previousValidUntil: '2026-11-22T09:30:00.123456Z',
  },
  RotatedWebhookEndpoint: { ...ENDPOINT_WITH_SECRET, previousValidUntil: '2026-11-22T09:30:00.123456Z' },
  SandboxAccount: OWN_ACCOUNT,
  SandboxOffer: {
    id: OFFER_ID,
    productId: PRODUCT_ID,
    sellerId: '08fb7250-057e-4ec1-a193-999155a1b6f7',
    price: '6.95',
    status: 'active',
    quantity: 41,
  },
  StatementLine: {
    id: '17',
    createdAt: UPDATED_AT,
    kind: 'charge',
    amount: '-13.80',
    balance: '236.20',
    orderId: ORDER_ID,
    reference: 'A-1001',
  },
  StatementMeta: { ...LAST_PAGE, opening: '250.00', closing: '236.20' },
  WebhookDelivery: {
    id: 'whd_7c1tqk0m9w2v4x8z_0e2k8v3q1m9ds',
    eventId: EVENT.id,
    type: 'order.complete',
    status: 'pending',
    attempts: [
      {
        at: UPDATED_AT,
        durationMs: 84,
        statusCode: 503,
        error: 'The response was 503, not 2xx.',
        responseExcerpt: 'Down for maintenance',
      },
    ],
    nextAttemptAt: '2026-11-21T09:30:05.807214Z',
  },
  WebhookEndpoint: ENDPOINT,
  WebhookEndpointWithSecret: ENDPOINT_WITH_SECRET,
  WebhookTest: { eventId: EVENT.id },
  WebhooksQueued: { deliveries: 1 },
  WebhooksReplayed: { deliveries: 1 },
};

const CHANGES: Partial<Record<OperationName, Readonly<Record<string, unknown>>>> = {
  getClaim: DECIDED,
  withdrawClaim: { status: 'withdrawn' },
  decideSandboxClaim: DECIDED,
  holdSandboxOrder: { status: 'held' },
  cancelSandboxOrder: { status: 'canceled' },
  advanceSandboxReservation: { status: 'expired' },
};

type Shape = {
  readonly title?: string;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly properties?: { readonly data?: Shape; readonly meta?: Shape };
};

/** The example has no traceId. It is empty if the response has no body. */
export function responseExample({ name, responses }: NamedOperation): Readonly<Record<string, unknown>> {
  const [schema]: (Shape | null | undefined)[] = Object.values(responses);
  const { data, meta } = schema?.properties ?? {};
  if (data === undefined) return {};
  const example =
    data.items === undefined
      ? { ...toExample(data), ...CHANGES[name] }
      : (data.items.anyOf ?? [data.items]).map(toExample);
  return { data: example, ...(meta && { meta: toExample(meta) }) };
}

function toExample({ title = '' }: Shape): Readonly<Record<string, unknown>> {
  return must(EXAMPLES[title], `an example of ${title}`);
}

const REASONED = { 'with a reason': { reason: 'a rehearsal' } };

export const REQUEST_EXAMPLES: Partial<Record<OperationName, Readonly<Record<string, unknown>>>> = {
  createOrder: {
    'the service picks the offer': {
      items: [{ auto: { productId: PRODUCT_ID, quantity: 2, maxPrice: '10.00' } }],
      currency: 'EUR',
    },
    'you name the offer': {
      items: [{ manual: { offerId: OFFER_ID, quantity: 2, maxPrice: '6.90' } }],
    },
  },
  returnOrder: { 'one unit': { items: [{ id: `${ORDER_ID}01`, quantity: 1 }], reason: 'not needed' } },
  createReservation: {
    'for 15 minutes': {
      items: [{ auto: { productId: PRODUCT_ID, quantity: 2, maxPrice: '10.00' } }],
      ttlSeconds: 900,
    },
  },
  renewReservation: { 'for 15 more minutes': { ttlSeconds: 900 } },
  createClaim: {
    'one key': {
      itemId: `${ORDER_ID}01`,
      codes: ['AAAAA-BBBBB-CCCCC'],
      reason: 'already-used',
      message: 'The shop says that it was redeemed a week ago.',
    },
  },
  decideSandboxClaim: {
    'replace the key': { decisions: [{ keyId: '1', decision: 'replace' }] },
    'refund it': { decisions: [{ keyId: '1', decision: 'refund' }], answer: 'Sorry.' },
    'reject it': { decisions: [{ keyId: '1', decision: 'reject' }], answer: 'It works.' },
  },
  rotateOwnClientSecret: {
    'both work for a day': { overlapHours: 24 },
    'the old one leaked': { overlapHours: 0 },
  },
  createMember: {
    'a buyer': { name: 'Ada Byron', email: 'ada@shop.example', role: 'buyer' },
  },
  updateMember: {
    'another role': { role: 'developer' },
    'a colleague leaves': { status: 'disabled', keepIssued: true },
  },
  updateOwnClient: {
    'another address': { allowedAddresses: ['192.0.2.0/24'] },
    'for a dashboard': { name: 'Dashboard', access: 'read-only' },
  },
  holdSandboxOrder: REASONED,
  releaseSandboxOrder: REASONED,
  cancelSandboxOrder: REASONED,
  refundSandboxOrder: {
    'the whole order': { reason: 'a rehearsal' },
    'one unit': { reason: 'a rehearsal', items: [{ id: `${ORDER_ID}01`, quantity: 1 }] },
  },
  settleSandboxOrder: { paid: {}, declined: { outcome: 'declined' } },
  advanceSandboxOrder: { 'until its keys expire': { hours: 49 } },
  advanceSandboxReservation: { 'until it expires': { seconds: 900 } },
  updateSandboxAccount: {
    'almost no money': { balance: '0.50' },
    suspended: { status: 'suspended' },
    'one read per second': { limits: { readsPerSecondMax: 1 } },
  },
  updateSandboxOffer: { 'another price': { price: '6.95' }, 'more keys': { addKeys: 10 } },
  createWebhookEndpoint: {
    'two types': { url: ENDPOINT.url, types: ENDPOINT.types, description: ENDPOINT.description },
    'all types': { url: ENDPOINT.url, types: ['*'] },
  },
  updateWebhookEndpoint: { 'pause it': { status: 'disabled' }, 'other types': { types: ['*'] } },
  rotateWebhookSecret: {
    'both secrets sign for a day': { overlapHours: 24 },
    'the old one leaked': { overlapHours: 0 },
  },
  replayWebhooks: { 'a morning': { from: '2026-11-21T08:00:00Z', to: '2026-11-21T09:30:00Z' } },
};

const ERROR_FACTS: Partial<
  Record<ErrorCode, { message?: string; data?: object; errors?: readonly object[] }>
> = {
  'validation-error': {
    message: 'body.items[0].manual.quantity must be a whole number from 1 to 25.',
    errors: [
      {
        code: 'validation-error',
        field: 'body.items[0].manual.quantity',
        message: 'body.items[0].manual.quantity must be a whole number from 1 to 25.',
      },
    ],
  },
  'cart-validation-error': {
    message: "The order costs 600.00 EUR, above the account's limit of 500.00 EUR per order.",
    data: { reason: 'order-value-max', limit: '500.00', requested: '600.00' },
  },
  'offer-not-available': { data: { reason: 'stock', availableQuantity: 3, minPrice: '6.90', quantity: 5 } },
  'order-not-complete': { data: { status: 'processing', retryable: true } },
  'order-expired': { data: { completedAt: UPDATED_AT, windowHours: 48 } },
  'max-price-exceeded': { data: { offerPrice: '6.92', maxPrice: '6.90' } },
  'product-excluded': { data: { productId: PRODUCT_ID, checkoutClass: 'subscription' } },
  'product-not-found': { data: { productId: PRODUCT_ID } },
  'insufficient-funds': { data: { required: '13.80', available: '10.00' } },
  'payment-went-wrong': { data: { orderId: ORDER_ID } },
  'order-not-paid': { data: { orderId: ORDER_ID } },
  'reservation-used': { data: { orderId: ORDER_ID } },
  'idempotency-key-processing': { data: { retryAfterMs: 1400, retryable: true } },
  forbidden: {
    message: 'A client changes itself only with a token that is at most 5 minutes old; nothing was changed.',
    data: { reason: 'token-too-old' },
  },
  conflict: {
    message: 'This order is complete. Only a pending, pending_payment or processing order can be held.',
    data: { status: 'complete' },
  },
  'claim-window-over': { data: { completedAt: UPDATED_AT, windowHours: 720 } },
  'return-not-possible': { data: { reason: 'too-many', refundable: 1 } },
  'state-changed': {
    data: {
      dryRun: true,
      amount: '6.90',
      bookings: [{ kind: 'refund', from: 'sales', to: 'prepaid', amount: '6.90' }],
      balance: { before: '236.20', after: '243.10' },
      order: null,
      units: { returned: 0, withdrawn: 0, kept: 1, delivered: 0, added: 0 },
      stock: [],
      needsApproval: false,
    },
  },
  'payload-too-large': { data: { limit: 65_536 } },
  'uri-too-long': { data: { limit: 8192 } },
  'too-many-requests': { data: { retryAfterMs: 120, limit: 50 } },
};

export function buildErrorExample(code: ErrorCode, baseUrl: string): Record<string, unknown> {
  const { status, message } = errorSpec(code);
  const facts = { message, ...ERROR_FACTS[code] };
  return {
    traceId: EXAMPLE_TRACE_ID,
    error: { code, status, ...facts, doc_url: `${baseUrl}${errorDocPath(code)}` },
  };
}
