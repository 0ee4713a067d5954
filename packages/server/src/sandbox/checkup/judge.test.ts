import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { CHECK_IDS, type CheckId, PROBED, type ProbedCheck } from '@keyport/contract/sandbox/checks';
import { must } from '@keyport/core/assert';
import { describe, test } from 'vitest';
import type { ClientRequest, MadeReservation, PlacedOrder, Surroundings } from './client-request.ts';
import { judgeClient } from './judge.ts';

const DURATION_MS = 20;
const ORDER_ID = '9007200123456789';
const ROUNDED_ID = '9007200123456788';

/** At a time in milliseconds after the start. */
function at(ms: number, seen: Partial<ClientRequest>): ClientRequest {
  const operation = seen.operation ?? 'createOrder';
  return {
    operation,
    startedAtMs: ms,
    endedAtMs: ms + DURATION_MS,
    request: operation === 'createOrder' ? 'POST /export/v1/orders' : `GET /${operation}`,
    status: 200,
    traceId: '0'.repeat(32),
    token: 'one',
    ...seen,
  };
}

const order = (ms: number, key: string, { payload = 'game', ...seen }: Partial<ClientRequest> = {}) =>
  at(ms, { key, payload, wanted: [payload], status: 201, ...seen });
const lost = (ms: number, key: string) => order(ms, key, { status: null });
const get = (
  ms: number,
  operation: ClientRequest['operation'],
  request: string,
  seen: Partial<ClientRequest> = {},
) => at(ms, { operation, request: `GET ${request}`, ...seen });
const list = (ms: number, query = '', token = 'one') =>
  get(ms, 'listProductOffers', `/export/v1/product-offers${query}`, { token });
const keys = (ms: number, seen: Partial<ClientRequest> = {}) =>
  get(ms, 'getOrderKeys', `/export/v1/orders/${ORDER_ID}/keys`, seen);
const waiting = { status: 400, code: 'order-not-complete' };
const details = (ms: number, ...ids: number[]) =>
  get(ms, 'listProductDetails', `/export/v1/products?${ids.map((id) => `productIds[]=${id}`).join('&')}`);
const account = (ms: number, seen: Partial<ClientRequest> = {}) =>
  get(ms, 'getOwnAccount', '/export/v1/account', seen);
const priced = (ms: number, key: string, seen: Partial<ClientRequest> = {}) =>
  order(ms, key, { status: 400, code: 'max-price-exceeded', ...seen });
const soldOut = { code: 'offer-not-available' };
const busy = { status: 429, retryAfterMs: 1000 };
const reserve = (ms: number, key: string, seen: Partial<ClientRequest> = {}) =>
  order(ms, key, { operation: 'createReservation', request: 'POST /export/v1/reservations', ...seen });
const placed = (key: string, facts: Partial<PlacedOrder> = {}): PlacedOrder => ({
  id: ORDER_ID,
  key,
  productId: 'game',
  createdAtMs: 10,
  endedAtMs: null,
  isComplete: true,
  isHourOld: false,
  isOver: false,
  areKeysRead: true,
  ...facts,
});
const reserved = (key: string, facts: Partial<MadeReservation> = {}): MadeReservation => ({
  id: `rsv_${key}`,
  key,
  endedAtMs: 900_000,
  ...facts,
});
const unpaid = { status: 402, code: 'order-not-paid' };
const getIds = (ms: number, ...ids: string[]) =>
  get(ms, 'getOrder', `/export/v1/orders/${ids[0]}`, { ids, status: 404, code: 'not-found' });
const crawl = (ms: number, pages = 3) =>
  Array.from({ length: pages }, (_, page) => list(ms + page * 30, `?page=${page + 1}&itemsPerPage=100`));

const crawlAfter = (ms: number) =>
  ['page=1', 'after=10000000000001&page=1', 'after=10000000000101&page=1'].map((place, page) =>
    list(ms + page * 30, `?itemsPerPage=100&${place}`),
  );

type Judged = Exclude<CheckId, ProbedCheck>;

const CASES: Readonly<
  Record<
    Judged,
    readonly [
      what: string,
      status: string,
      history: readonly ClientRequest[],
      surroundings?: Partial<Surroundings>,
    ][]
  >
> = {
  'order-retries': [
    ['every outcome was known', 'not-seen', [order(0, 'a'), order(100, 'b')]],
    ['the same key again after a lost response', 'passed', [lost(0, 'a'), order(100, 'a')]],
    ['a new key after a lost response', 'failed', [lost(0, 'a'), order(100, 'b')]],
    ['a new key after 503', 'failed', [order(0, 'a', { status: 503 }), order(1100, 'b')]],
    [
      'a new key after 409',
      'failed',
      [order(0, 'a', { status: 409, code: 'idempotency-key-processing' }), order(2000, 'b')],
    ],
    [
      'the same key with another payload',
      'failed',
      [lost(0, 'a'), order(100, 'a', { payload: 'other', status: 422 })],
    ],
    [
      'a retry after 429, which placed nothing',
      'not-seen',
      [order(0, 'a', { status: 429 }), order(1100, 'b')],
    ],
    ['giving up', 'not-seen', [lost(0, 'a'), order(100, 'b', { payload: 'other' })]],
    ['concurrent equal orders of two buyers', 'not-seen', [lost(0, 'a'), order(5, 'b')]],
    [
      'an equal order of another buyer, then the retry',
      'passed',
      [lost(0, 'a'), order(100, 'b'), order(5000, 'a')],
    ],
    ['a retry by another process', 'passed', [lost(0, 'a'), order(100, 'a', { token: 'two' })]],
    [
      'retries whose responses are lost, too',
      'passed',
      [lost(0, 'a'), lost(100, 'a'), lost(300, 'a'), order(900, 'a')],
    ],
    [
      'a read of the history, which shows no order, and then a new order',
      'not-seen',
      [lost(0, 'a'), get(100, 'listOrders', '/export/v1/orders'), order(200, 'b')],
    ],
    [
      'a new key during continuous long polls for events',
      'failed',
      [
        { ...get(-5000, 'listEvents', '/e'), endedAtMs: 25 },
        lost(0, 'a'),
        { ...get(30, 'listEvents', '/e'), endedAtMs: 300 },
        order(200, 'b'),
      ],
    ],
    [
      'a new key after reading the events',
      'not-seen',
      [lost(0, 'a'), get(100, 'listEvents', '/e'), order(200, 'b')],
    ],
    [
      'a second purchase after an unnecessary retry',
      'not-seen',
      [order(0, 'a'), order(100, 'a', { status: 409, code: 'idempotency-key-processing' }), order(200, 'b')],
    ],
    ['the same order again an hour later', 'not-seen', [lost(0, 'a'), order(3_600_000, 'b')]],
    [
      'an equal order for another customer while the first is held',
      'not-seen',
      [order(0, 'a'), order(100, 'b')],
      { placed: [placed('a', { isComplete: false })] },
    ],
    [
      'an equal order for another customer while the first is not paid',
      'not-seen',
      [order(0, 'a', unpaid), order(100, 'b')],
      { placed: [placed('a', { isComplete: false })] },
    ],
    [
      'an order for another customer, named by its reference, after a lost response',
      'not-seen',
      [order(0, 'a', { status: null, reference: '1' }), order(100, 'b', { reference: '2' })],
      { placed: [placed('a')] },
    ],
    [
      'orders of two reservations for two customers, the first of which is lost',
      'not-seen',
      [
        at(0, { operation: 'orderReservation', key: 'a', wanted: ['rsv_a'], status: null }),
        at(100, { operation: 'orderReservation', key: 'b', wanted: ['rsv_b'], status: 201 }),
      ],
      {
        meanings: new Map([
          ['rsv_a', { productId: 'game', reference: '1' }],
          ['rsv_b', { productId: 'game', reference: '2' }],
        ]),
      },
    ],
    [
      'a reference whose lost order was ordered with a new key',
      'failed',
      [order(0, 'a', { status: null, reference: '1' }), order(100, 'b', { reference: '1' })],
    ],
    [
      'a reference that was ordered again after the history showed its order',
      'failed',
      [
        order(0, 'a', { status: null, reference: '1' }),
        get(100, 'listOrders', '/export/v1/orders?reference=1'),
        order(200, 'b', { reference: '1' }),
      ],
      { placed: [placed('a')] },
    ],
    [
      'a reference that was ordered again after the history showed no order',
      'not-seen',
      [
        order(0, 'a', { status: null, reference: '1' }),
        get(100, 'listOrders', '/export/v1/orders?reference=1'),
        order(200, 'b', { reference: '1' }),
      ],
    ],
    [
      'a reference that was ordered again after a rejection',
      'not-seen',
      [
        order(0, 'a', { status: 400, code: 'offer-not-available', reference: '1' }),
        order(200, 'b', { reference: '1' }),
      ],
      { placed: [placed('b')] },
    ],
    ...(
      [
        ['is known', {}, {}],
        ['is held', {}, { isComplete: false }],
        ['is not paid', unpaid, { isComplete: false }],
        ['was canceled only later', {}, { endedAtMs: 50_000 }],
      ] as const
    ).map(([what, seen, facts]): [string, string, ClientRequest[], Partial<Surroundings>] => [
      `a reference with another key, while its first order ${what}`,
      'failed',
      [order(0, 'a', { ...seen, reference: '1' }), order(20_000, 'b', { reference: '1' })],
      { placed: [placed('a', facts)] },
    ]),
    [
      'a reference that is ordered twice at the same time',
      'failed',
      [order(0, 'a', { reference: '1' }), order(5, 'b', { reference: '1' })],
      { placed: [placed('a'), placed('b')] },
    ],
    [
      'a reference whose first order was canceled',
      'not-seen',
      [order(0, 'a', { reference: '1' }), order(20_000, 'b', { reference: '1' })],
      { placed: [placed('a', { endedAtMs: 10_000 })] },
    ],
    [
      'two products with one reference',
      'not-seen',
      [order(0, 'a', { reference: '1' }), order(100, 'b', { reference: '1', wanted: ['film'] })],
      { placed: [placed('a'), placed('b')] },
    ],
    [
      'one product, first by its id and then by its offer, with one reference',
      'failed',
      [order(0, 'a', { reference: '1' }), order(100, 'b', { reference: '1', wanted: ['offer'] })],
      { placed: [placed('a')], meanings: new Map([['offer', { productId: 'game', reference: null }]]) },
    ],
    [
      'a reference that is reserved twice',
      'failed',
      [reserve(0, 'a', { reference: '1' }), reserve(100, 'b', { reference: '1' })],
      { reserved: [reserved('a'), reserved('b')] },
    ],
    [
      'a reference that is reserved with the same key again',
      'not-seen',
      [reserve(0, 'a', { reference: '1', status: null }), reserve(100, 'a', { reference: '1' })],
      { reserved: [reserved('a')] },
    ],
    [
      'a reference that is reserved again after a rejection',
      'not-seen',
      [
        reserve(0, 'a', { reference: '1', status: 400, code: 'offer-not-available' }),
        reserve(100, 'b', { reference: '1' }),
      ],
      { reserved: [reserved('b')] },
    ],
    [
      'a reference that is reserved again after the reservation has expired',
      'not-seen',
      [reserve(0, 'a', { reference: '1' }), reserve(901_000, 'b', { reference: '1' })],
      { reserved: [reserved('a'), reserved('b')] },
    ],
    [
      'a reference that is reserved again after it was released',
      'not-seen',
      [
        reserve(0, 'a', { reference: '1' }),
        at(100, {
          operation: 'releaseReservation',
          request: 'DELETE /export/v1/reservations/rsv_a',
          status: 200,
        }),
        reserve(200, 'b', { reference: '1' }),
      ],
      { reserved: [reserved('a', { endedAtMs: 10 }), reserved('b')] },
    ],
    [
      'a reference that is reserved twice before the first is released',
      'failed',
      [
        reserve(0, 'a', { reference: '1' }),
        reserve(100, 'b', { reference: '1' }),
        at(200, {
          operation: 'releaseReservation',
          request: 'DELETE /export/v1/reservations/rsv_a',
          status: 200,
        }),
      ],
      { reserved: [reserved('a', { endedAtMs: 10 }), reserved('b')] },
    ],
    [
      'a reference that is ordered beside its reservation',
      'failed',
      [reserve(0, 'a', { reference: '1' }), order(100, 'b', { reference: '1' })],
      { reserved: [reserved('a')], placed: [placed('b')] },
    ],
    [
      'two reservations of one product for customers without a reference',
      'not-seen',
      [reserve(0, 'a'), reserve(100, 'b')],
      { reserved: [reserved('a'), reserved('b')] },
    ],
    [
      'an equal order after a late duplicate of one that the history showed',
      'passed',
      [lost(0, 'a'), get(100, 'listOrders', '/export/v1/orders'), lost(60_000, 'a'), order(60_100, 'b')],
      { placed: [placed('a')] },
    ],
    [
      'an equal order after a late duplicate of one whose outcome was known',
      'passed',
      [lost(0, 'a'), order(100, 'a'), lost(60_000, 'a'), order(60_100, 'b')],
      { placed: [placed('a')] },
    ],
    [
      'an equal order after a second attempt that the history did not show yet',
      'failed',
      [lost(0, 'a'), get(100, 'listOrders', '/export/v1/orders'), lost(200, 'a'), order(300, 'b')],
      { placed: [placed('a', { createdAtMs: 210 })] },
    ],
    [
      'a retry after a restart that began with new orders',
      'passed',
      [lost(0, 'a'), order(90, 'b', { payload: 'x' }), order(100, 'a')],
    ],
  ],
  'one-payload-per-key': [
    ['no orders', 'not-seen', [account(0)]],
    ['two orders with two keys', 'passed', [order(0, 'a'), order(100, 'b', { payload: 'other' })]],
    [
      'two payloads under one key',
      'failed',
      [order(0, 'a'), order(100, 'a', { payload: 'other', status: 422 })],
    ],
    ['many retries', 'passed', [order(0, 'a'), order(100, 'a'), order(200, 'a')]],
    [
      'a correction after a rejection that leaves the key unused',
      'passed',
      [
        order(0, 'a', { status: 401 }),
        order(50, 'a', { status: 400, code: 'validation-error' }),
        order(100, 'a', { payload: 'other' }),
      ],
    ],
    ['an invalid body', 'passed', [at(0, { key: 'a', status: 400 }), order(100, 'a')]],
    [
      'the same key for a write of another kind',
      'passed',
      [order(0, 'a'), at(100, { operation: 'createWebhookEndpoint', key: 'a' })],
    ],
  ],
  'retry-after': [
    ['nothing to wait for', 'not-seen', [account(0), account(5)]],
    ['waiting', 'passed', [account(0, busy), account(1020)]],
    ['not waiting', 'failed', [account(0, busy), account(100)]],
    ['an order that does not wait', 'failed', [order(0, 'a', busy), order(100, 'a')]],
    ['another order in between', 'not-seen', [order(0, 'a', busy), order(100, 'b')]],
    ['another request in between', 'not-seen', [account(0, busy), list(100)]],
    [
      'another process, which did not receive the 429',
      'not-seen',
      [account(0, busy), account(100, { token: 'two' })],
    ],
    ['requests that were in flight', 'passed', [account(0, busy), account(10), account(1100)]],
    [
      'waiting only for the shorter retryAfterMs',
      'passed',
      [account(0, { status: 429, retryAfterMs: 300 }), account(330)],
    ],
    ['no further request', 'not-seen', [account(0, busy)]],
    ['retries with a pause', 'not-seen', [0, 300, 700, 1500].map((ms) => lost(ms, 'a'))],
    ['retries without a pause', 'failed', [0, 100, 200, 300].map((ms) => lost(ms, 'a'))],
    ['one immediate retry', 'not-seen', [lost(0, 'a'), lost(30, 'a'), lost(600, 'a'), lost(1500, 'a')]],
  ],
  'token-after-401': [
    ['no 401', 'not-seen', [account(0)]],
    ['a new token', 'passed', [account(0, { status: 401 }), account(100, { token: 'two' })]],
    ['the same token again', 'failed', [account(0, { status: 401 }), account(100, { status: 401 })]],
    ['no further request', 'not-seen', [account(0, { status: 401 })]],
    ['requests that were in flight', 'not-seen', [account(0, { status: 401 }), account(10, { status: 401 })]],
    [
      'a process that continues until it gets a 401',
      'passed',
      [account(0, { status: 401 }), account(100), account(300, { token: 'two' })],
    ],
    ['another request in between', 'not-seen', [account(0, { status: 401 }), list(100)]],
    ['a token of another process', 'passed', [account(0, { status: 401 }), account(100, { token: 'two' })]],
  ],
  'token-reuse': [
    ['one request', 'not-seen', [account(0)]],
    ['one token for several requests', 'passed', [account(0), account(50), account(100)]],
    ['a token for each request', 'failed', [0, 1, 2, 3, 4].map((n) => account(n * 100, { token: `${n}` }))],
    [
      'processes that start together, each with a token',
      'passed',
      Array.from({ length: 18 }, (_, n) => account(n * 10, { token: String(n % 6) })),
    ],
    [
      'a script that a person runs occasionally',
      'not-seen',
      Array.from({ length: 8 }, (_, n) => account(n * 5_000, { token: String(n) })),
    ],
    [
      'a token for every second request',
      'failed',
      Array.from({ length: 10 }, (_, n) => account(n * 100, { token: String(Math.floor(n / 2)) })),
    ],
    [
      "a token for every second of a slow client's requests",
      'failed',
      Array.from({ length: 20 }, (_, n) => account(n * 3000, { token: String(Math.floor(n / 2)) })),
    ],
    [
      'a token for each request of a job that runs every two minutes',
      'failed',
      Array.from({ length: 30 }, (_, n) => account(n * 120_000, { token: String(n) })),
    ],
    [
      'a job that runs every two minutes with a token for its three requests',
      'passed',
      Array.from({ length: 90 }, (_, n) =>
        account(Math.floor(n / 3) * 120_000 + (n % 3) * 50, { token: String(Math.floor(n / 3)) }),
      ),
    ],
    [
      'restarts that retry one order',
      'not-seen',
      Array.from({ length: 9 }, (_, n) => order(n * 100, 'a', { token: String(n) })),
    ],
  ],
  'ids-as-text': [
    ['no orders', 'not-seen', [account(0)]],
    ['the id as it was sent', 'passed', [getIds(0, ORDER_ID)], { placed: [placed('a')] }],
    ['the id of an item', 'passed', [getIds(0, `${ORDER_ID}01`)], { placed: [placed('a')] }],
    ['a rounded id', 'failed', [getIds(0, ROUNDED_ID)], { placed: [placed('a')] }],
    [
      'a rounded id of an item',
      'failed',
      [getIds(0, ORDER_ID, String(Number(`${ORDER_ID}01`)))],
      { placed: [placed('a')] },
    ],
    ['an unknown id', 'not-seen', [getIds(0, '9007200123450002')], { placed: [placed('a')] }],
  ],
  'keys-in-time': [
    ['no keys', 'not-seen', [order(0, 'a')]],
    ['keys that are read', 'passed', [keys(0)]],
  ],
  'keys-polling': [
    ['no keys', 'not-seen', [order(0, 'a')]],
    ['once a second', 'passed', [0, 1000, 1990, 3005].map((ms) => keys(ms, waiting))],
    ['many times a second', 'failed', [0, 200, 400, 600].map((ms) => keys(ms, waiting))],
    [
      'an immediate retry after a lost response',
      'passed',
      [keys(0, { status: null }), keys(30, { status: null }), keys(60)],
    ],
    ['one early read', 'passed', [keys(0, waiting), keys(300, waiting), keys(1400, waiting)]],
    ['reading complete keys a few times', 'passed', [0, 100, 200, 300].map((ms) => keys(ms))],
    [
      'reading complete keys twice, occasionally',
      'passed',
      [0, 100, 5000, 5100, 10_000, 10_100, 15_000, 15_100].map((ms) => keys(ms)),
    ],
    ['continuing to read complete keys', 'failed', [0, 100, 200, 300, 400].map((ms) => keys(ms))],
    [
      'two processes, each once a second',
      'passed',
      [0, 500, 1000, 1500].map((ms, n) => keys(ms, { ...waiting, token: String(n % 2) })),
    ],
  ],
  'catalogue-following': [
    ['one read of the whole catalogue', 'not-seen', crawl(0)],
    [
      'following',
      'passed',
      [...crawl(0), get(500, 'listProductChanges', '/export/v1/product-offers/changes?cursor=x')],
    ],
    ['polling by time', 'passed', [...crawl(0), list(500, '?updatedAtFrom=2026-11-21T09:30:00Z')]],
    ['repeated reads of the whole catalogue', 'failed', [...crawl(0), ...crawl(60_000), ...crawl(120_000)]],
    [
      'repeated reads of the whole catalogue, each page after the one before',
      'failed',
      [...crawlAfter(0), ...crawl(60_000), ...crawlAfter(120_000)],
    ],
    ['two reads, each page after the one before', 'not-seen', [...crawlAfter(0), ...crawlAfter(60_000)]],
    ['the whole catalogue once a day', 'not-seen', [0, 1, 2, 3, 4].flatMap((day) => crawl(day * 86_400_000))],
    [
      'the whole catalogue at every start, and following in between',
      'passed',
      [0, 1, 2, 3].flatMap((start) => [
        ...crawl(start * 60_000),
        get(start * 60_000 + 500, 'listProductChanges', '/export/v1/product-offers/changes?cursor=x'),
      ]),
    ],
    [
      'the first pages, for people who browse',
      'not-seen',
      Array.from({ length: 9 }, (_, n) => crawl(n * 1000, 2)).flat(),
    ],
    [
      'with ETags, so that no page is sent again',
      'not-seen',
      [0, 1, 2, 3].flatMap((n) => crawl(n * 60_000).map((seen) => ({ ...seen, status: 304 }))),
    ],
    [
      'the first page before each of many purchases',
      'not-seen',
      Array.from({ length: 40 }, (_, n) => [
        list(n * 1000),
        n % 2 === 0 ? order(n * 1000 + 100, String(n)) : reserve(n * 1000 + 100, String(n)),
      ]).flat(),
    ],
    [
      'a catalogue of one page before each of many purchases',
      'not-seen',
      Array.from({ length: 40 }, (_, n) => [list(n * 1000), order(n * 1000 + 100, String(n))]).flat(),
      { productCount: 12 },
    ],
    [
      'polling the first page, with a few purchases in between',
      'failed',
      Array.from({ length: 60 }, (_, n) => [
        list(n * 50_000),
        ...(n % 6 === 0 ? [order(n * 50_000 + 100, String(n))] : []),
      ]).flat(),
    ],
    [
      'repeated reads of some products',
      'not-seen',
      Array.from({ length: 12 }, (_, n) => list(n * 100, '?productIds[]=1')),
    ],
  ],
  'details-batches': [
    ['none', 'not-seen', [account(0)]],
    ['twenty at a time', 'passed', [details(0, ...Array.from({ length: 20 }, (_, n) => n))]],
    ['one at a time', 'failed', [1, 2, 3, 4, 5].map((id) => details(id * 100, id))],
    [
      'twenty at a time, with indexes',
      'passed',
      [0, 1, 2, 3, 4].map((n) => {
        const query = Array.from({ length: 20 }, (_, index) => `productIds%5B${index}%5D=${n}${index}`).join(
          '&',
        );
        return get(n * 100, 'listProductDetails', `/export/v1/products?${query}`);
      }),
    ],
    [
      'one at a time, with indexes',
      'failed',
      [1, 2, 3, 4, 5].map((id) =>
        get(id * 100, 'listProductDetails', `/export/v1/products?productIds[0]=${id}`),
      ),
    ],
    [
      'rejected requests',
      'not-seen',
      [1, 2, 3, 4, 5].map((id) => ({ ...details(id * 100, id), status: 400 })),
    ],
    ['single products occasionally', 'passed', [1, 2, 3, 4, 5].map((id) => details(id * 1000, id))],
    [
      'the same product repeatedly, for people who view it',
      'passed',
      [1, 2, 3, 4, 5, 6].map((n) => details(n * 100, 7)),
    ],
    [
      'the rest of a large batch',
      'passed',
      [details(0, ...Array.from({ length: 20 }, (_, n) => n)), details(100, 21)],
    ],
  ],
  'max-price': [
    ['no rejection', 'not-seen', [order(0, 'a')]],
    ['no repeat', 'passed', [priced(0, 'a')]],
    ['the same order again', 'failed', [priced(0, 'a'), priced(100, 'b')]],
    ['one repeat by a person', 'passed', [priced(0, 'a'), priced(5000, 'b')]],
    ['two repeats', 'failed', [priced(0, 'a'), priced(5000, 'b'), priced(10_000, 'c')]],
    [
      'the last units, for two buyers',
      'passed',
      [priced(0, 'a', soldOut), priced(100, 'b', soldOut), priced(61_000, 'c', soldOut)],
    ],
    [
      'repeatedly out of stock',
      'failed',
      [priced(0, 'a', soldOut), priced(100, 'b', soldOut), priced(5000, 'c', soldOut)],
    ],
    [
      'a read of the account, which shows no price',
      'failed',
      [priced(0, 'a'), account(50), priced(100, 'b')],
    ],
    [
      'the same key repeatedly',
      'failed',
      [priced(0, 'a'), priced(100, 'a'), priced(200, 'a'), priced(300, 'a')],
    ],
    ['a higher maxPrice', 'passed', [priced(0, 'a'), order(100, 'b', { payload: 'dearer' })]],
    [
      'reading the product first',
      'passed',
      [priced(0, 'a'), get(50, 'getProduct', '/export/v1/products/1'), order(100, 'b')],
    ],
    [
      'continuous long polls of the feed',
      'passed',
      [priced(0, 'a'), { ...get(-5000, 'listProductChanges', '/c'), endedAtMs: 60 }, order(100, 'b')],
    ],
    ['a minute later', 'passed', [priced(0, 'a'), order(61_000, 'b')]],
    ['an unpaid order, and one for another customer', 'passed', [order(0, 'a', unpaid), order(100, 'b')]],
    [
      'unpaid orders for customers who are named by references',
      'passed',
      [0, 1, 2, 3].map((n) => order(n * 100, String(n), { ...unpaid, payload: String(n) })),
    ],
    [
      'new keys until an order is paid',
      'failed',
      [order(0, 'a', unpaid), order(100, 'b', unpaid), order(200, 'c')],
    ],
    [
      'unpaid orders that are read in between',
      'passed',
      [0, 1, 2].flatMap((n) => [order(n * 100, String(n), unpaid), get(n * 100 + 50, 'getOrder', '/o')]),
    ],
    [
      'retries of an unpaid order with its key',
      'passed',
      [0, 1, 2, 3, 4].map((n) => order(n * 2000, 'a', unpaid)),
    ],
    [
      'a late duplicate of a rejected order, and then an equal order for another customer',
      'passed',
      [
        priced(0, 'a'),
        get(50, 'getProduct', '/export/v1/products/1'),
        order(100, 'b'),
        priced(200, 'a'),
        order(300, 'c'),
      ],
    ],
    ['two concurrent buyers', 'passed', [priced(0, 'a'), priced(10, 'b')]],
    ['a retry because the response was lost', 'passed', [lost(0, 'a'), priced(100, 'a')]],
  ],
};

const UNTRIED = { isSeen: false, faults: [] };
const SURROUNDINGS: Surroundings = {
  gapUntilMs: -10_000,
  productCount: 250,
  placed: [],
  reserved: [],
  meanings: new Map(),
  probes: { 'webhook-signature': UNTRIED, 'webhook-timestamp': UNTRIED, 'webhook-duplicate': UNTRIED },
};

function isProbed(id: CheckId): id is ProbedCheck {
  return PROBED.some((one) => one === id);
}

function judge(id: CheckId, history: readonly ClientRequest[], surroundings = SURROUNDINGS) {
  const { checks } = judgeClient(history, surroundings, 'https://keyport.example');
  return must(
    checks.find((check) => check.id === id),
    'every check is judged',
  );
}

for (const id of CHECK_IDS.filter((one): one is Judged => !isProbed(one))) {
  describe(id, () => {
    for (const [what, status, history, surroundings] of CASES[id]) {
      test(`${what}: ${status}`, () => {
        const check = judge(
          id,
          history.toSorted((one, other) => one.startedAtMs - other.startedAtMs),
          { ...SURROUNDINGS, ...surroundings },
        );
        equal(check.status, status, JSON.stringify(check.evidence));
        equal(check.evidence !== undefined, status === 'failed');
        equal(check.doc, `https://keyport.example/docs/checkup#${id}`);
      });
    }
  });
}

const EXPIRED = placed('a', { isOver: true, areKeysRead: false });

for (const [what, status, history, changed] of [
  ['keys that were never read, requested too late', 'failed', [keys(0, late())], {}],
  ['keys that were neither read nor requested', 'failed', [order(0, 'a')], {}],
  [
    'keys that were read in time, and are requested later',
    'not-seen',
    [keys(0, late())],
    { areKeysRead: true },
  ],
  ['a window that has not ended', 'not-seen', [order(0, 'a')], { isOver: false }],
  ['an order that was refunded', 'not-seen', [order(0, 'a')], { isComplete: false }],
] as const) {
  test(`keys-in-time, ${what}: ${status}`, () => {
    equal(
      judge('keys-in-time', history, { ...SURROUNDINGS, placed: [{ ...EXPIRED, ...changed }] }).status,
      status,
    );
  });
}

function late() {
  return { status: 400, code: 'order-expired' };
}

for (const [count, isHourOld, isReading, status] of [
  [3, true, false, 'failed'],
  [3, true, true, 'passed'],
  [2, true, false, 'not-seen'],
  [30, false, false, 'not-seen'],
] as const) {
  const what = `${isHourOld ? 'an hour' : 'a minute'} after ${count} orders`;
  test(`keys-in-time of a client that ${isReading ? 'read some keys' : 'never read keys'}, ${what}: ${status}`, () => {
    const orders = Array.from({ length: count }, (_, n) => order(n * 100, String(n)));
    const unread = orders.map(({ key = '' }) => ({ ...EXPIRED, id: key, key, isOver: false, isHourOld }));
    const history = isReading ? [...orders, keys(9000)] : orders;
    equal(judge('keys-in-time', history, { ...SURROUNDINGS, placed: unread }).status, status);
  });
}

test('unpaid orders count as read if a webhook endpoint accepts events', () => {
  const history = ['a', 'b', 'c'].map((key, n) => order(n * 100, key, unpaid));
  equal(judge('max-price', history).status, 'failed');
  const probes = { ...SURROUNDINGS.probes, 'webhook-signature': { isSeen: true, faults: [] } };
  equal(judge('max-price', history, { ...SURROUNDINGS, probes }).status, 'passed');
});

test('a catalogue of one page may be read a few times, but not constantly', () => {
  const surroundings = { ...SURROUNDINGS, productCount: 12 };
  const times = (count: number) => Array.from({ length: count }, (_, n) => list(n * 1000));
  equal(judge('catalogue-following', times(9), surroundings).status, 'not-seen');
  equal(judge('catalogue-following', times(10), surroundings).status, 'failed');
});

for (const [id, history] of [
  ['order-retries', [lost(0, 'a'), order(100, 'b')]],
  ['max-price', [priced(0, 'a'), priced(100, 'b')]],
  ['token-after-401', [account(0, { status: 401 }), account(100, { status: 401 })]],
] as const) {
  test(`${id} fails only if every request was logged since the first one`, () => {
    equal(judge(id, history, { ...SURROUNDINGS, gapUntilMs: -1 }).status, 'failed');
    notEqual(judge(id, history, { ...SURROUNDINGS, gapUntilMs: 50 }).status, 'failed');
  });
}

test('evidence has the time, the request, its key and the fault', () => {
  const { evidence } = judge('order-retries', [lost(0, 'a'), order(100, 'b')]);
  deepEqual(evidence, [
    {
      at: '1970-01-01T00:00:00.100000Z',
      request: 'POST /export/v1/orders',
      key: 'b',
      status: 201,
      traceId: '0'.repeat(32),
      note: 'A new key for the same product, while it was unknown whether the order with the key a was placed.',
    },
  ]);
});

test('the score is the share of passed checks among those seen, and 0 before any was seen', () => {
  const toScore = (history: readonly ClientRequest[]) => judgeClient(history, SURROUNDINGS, '').score;
  equal(toScore([]), 0);
  equal(toScore([lost(0, 'a'), order(100, 'a')]), 100);
  equal(toScore([lost(0, 'a'), order(100, 'b')]), 67);
  equal(judgeClient([lost(0, 'a'), order(100, 'b')], SURROUNDINGS, '').seen, 3);
});
