/**
 * Examples for the reference and the error pages: what a reseller sends, what comes back, and one body per error code.
 * A test checks each against its schema. Spec: "Endpoints", "Errors".
 */
import { type ErrorCode, errorDocPath, errorSpec } from './errors.ts';
import type { OperationName } from './operations.ts';

export const EXAMPLE_TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

const PRODUCT_ID = '10000000000017';
const OFFER_ID = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';
const ORDER_ID = '2174556001234567';
const UPDATED_AT = '2026-11-21T09:30:00.123456Z';

const OFFERS = [
  { id: OFFER_ID, price: '12.30', quantity: 41 },
  { id: '5d0c1a77-2a55-4a0e-8a57-0a3c1b9f2e22', price: '12.45', quantity: 7 },
];

const ORDER = {
  id: ORDER_ID,
  status: 'complete',
  createdAt: UPDATED_AT,
  discount: '0.00',
  totalPrice: '24.60',
  currency: 'EUR',
  transactions: [
    {
      id: `${ORDER_ID}1`,
      seller: { id: '9b2f6c1e-0f0b-4d60-8f1e-2f7b9d6c3a44', name: 'Northern Keys' },
      items: [
        {
          id: `${ORDER_ID}11`,
          product: { id: PRODUCT_ID, name: 'Star Harbour – PC key, worldwide' },
          offer: { id: OFFER_ID },
          quantity: { ordered: 2, invoiced: 2, shipped: 2, refunded: 0 },
          price: '12.30',
          totalPrice: '24.60',
        },
      ],
    },
  ],
};

const PRODUCT_WITH_OFFERS = {
  id: PRODUCT_ID,
  name: 'Star Harbour – PC key, worldwide',
  totalQuantity: 48,
  offers: OFFERS,
  updatedAt: UPDATED_AT,
  currency: 'EUR',
};

const { offers, updatedAt, currency, ...PRODUCT_HEAD } = PRODUCT_WITH_OFFERS;
const PRODUCT = { ...PRODUCT_HEAD, minPrice: '12.30', updatedAt, offers, currency };

const PRODUCT_DETAIL = {
  ...PRODUCT_HEAD,
  minPrice: '12.30',
  slug: 'star-harbour-pc-key-worldwide',
  region: 'Worldwide',
  developer: 'Lantern Games',
  publisher: 'Lantern Games',
  releaseDate: '2024-03-15',
  platform: 'PC',
  categories: [{ id: 'strategy', name: 'Strategy' }],
  requirements: {
    minimal: { processor: '4 cores, 2.5 GHz', memory: '8 GB', graphics: null, diskSpace: '20 GB' },
  },
  restrictions: { rating: '12', descriptors: ['Mild violence'] },
  thumbnail: 'https://shop.example/images/star-harbour-58.png',
  portraitImage: 'https://shop.example/images/star-harbour-230.png',
  coverImage: 'https://shop.example/images/star-harbour.png',
  images: [],
  videos: null,
  updatedAt,
  currency,
};

const META = { page: 1, itemsPerPage: 20, totalResults: 1, hasNext: false, hasPrevious: false };

export type OperationExamples = {
  /** Request bodies by name. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** The answer of the first success status, without its traceId. */
  readonly response: Readonly<Record<string, unknown>>;
};

export const OPERATION_EXAMPLES: Partial<Record<OperationName, OperationExamples>> = {
  createOrder: {
    request: {
      'the service picks the offer': {
        items: [{ auto: { productId: PRODUCT_ID, quantity: 2, maxPrice: '15.00' } }],
        currency: 'EUR',
      },
      'you name the offer': {
        items: [{ manual: { offerId: OFFER_ID, quantity: 2, maxPrice: '12.30' } }],
      },
    },
    response: { data: ORDER },
  },
  listOrders: { response: { data: [ORDER], meta: { ...META, itemsPerPage: 100 } } },
  getOrder: { response: { data: ORDER } },
  getOrderKeys: {
    response: {
      data: [
        {
          item: { id: `${ORDER_ID}11` },
          keys: [{ code: 'AAAAA-BBBBB-CCCCC' }, { code: 'DDDDD-EEEEE-FFFFF' }],
        },
      ],
    },
  },
  listProductOffers: { response: { data: [PRODUCT], meta: META } },
  listProductChanges: {
    response: {
      data: [PRODUCT, { id: '10000000000024', removed: true, updatedAt: '2026-11-21T09:30:01.004711Z' }],
      meta: {
        nextCursor: 'AX4KZ0TVeE5vjf1oN5k7bV0ABmDGATI4QAAGYMYBP6qnCUgrKA',
        hasMore: false,
        restarted: false,
      },
    },
  },
  getProduct: { response: { data: PRODUCT_WITH_OFFERS } },
  getProductOffers: { response: { data: PRODUCT_WITH_OFFERS } },
  listProductDetails: { response: { data: [PRODUCT_DETAIL] } },
  getOwnAccount: {
    response: {
      data: {
        id: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e11',
        name: 'Key shop',
        currency: 'EUR',
        balance: '250.00',
        paymentMethod: 'balance',
        discountPercent: '2.50',
        limits: { orderValueMax: '500.00', dailySpendMax: null, dailyUnitsMax: 1000 },
      },
    },
  },
};

/** What of the catalogue's default is told better with facts. */
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
    message: "The order costs 600.00 EUR, above the account's limit of 500.00 EUR an order.",
    data: { reason: 'order-value-max', limit: '500.00', requested: '600.00' },
  },
  'offer-not-available': { data: { availableQuantity: 3, minPrice: '12.30', quantity: 5 } },
  'order-not-complete': { data: { status: 'processing', retryable: true } },
  'order-expired': { data: { completedAt: UPDATED_AT, windowHours: 48 } },
  'max-price-exceeded': { data: { price: '12.45', maxPrice: '12.30' } },
  'product-excluded': { data: { productId: PRODUCT_ID, checkoutClass: 'subscription' } },
  'product-not-found': { data: { productId: PRODUCT_ID } },
  'insufficient-funds': { data: { required: '24.60', available: '10.00' } },
  'payment-went-wrong': { data: { orderId: ORDER_ID } },
  'order-not-paid': { data: { orderId: ORDER_ID } },
  'idempotency-key-processing': { data: { retryAfterMs: 1400, retryable: true } },
  conflict: {
    message: 'An order that is complete cannot be changed by hold.',
    data: { status: 'complete' },
  },
  'payload-too-large': { data: { limit: 65_536 } },
  'uri-too-long': { data: { limit: 8192 } },
  'too-many-requests': { data: { retryAfterMs: 120, limit: 50 } },
};

/** A whole error body as it could come from the service at `baseUrl`. */
export function buildErrorExample(code: ErrorCode, baseUrl: string): Record<string, unknown> {
  const { status, message } = errorSpec(code);
  const facts = { message, ...ERROR_FACTS[code] };
  return {
    traceId: EXAMPLE_TRACE_ID,
    error: { code, status, ...facts, doc_url: `${baseUrl}${errorDocPath(code)}` },
  };
}
