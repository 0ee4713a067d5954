/** Every date-time and date that the contract accepts, at the ends of calendars and of what the database stores. A9. */
import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decodeFeedCursor, encodeFeedCursor } from '@keyport/catalogue/feed-cursor';
import { isListWithCsv } from '@keyport/contract/list-csv';
import { OPERATION_LIST } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { test } from 'vitest';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness({ KEYPORT_MODE: 'sandbox' });

const DATE_TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1582-10-10T00:00:00Z',
  '1684-07-28T00:12:25Z',
  '1900-02-29T00:00:00Z',
  '1969-12-31T23:59:59.999999Z',
  '1970-01-01T00:00:00+14:00',
  '2000-02-29T23:59:59-14:00',
  '2100-02-28T23:59:59-14:00',
  '2199-12-31T23:59:59.999999-14:00',
  '2255-06-05T23:47:34.740992Z',
  '9999-12-31T23:59:59.999999Z',
  '9999-12-31T23:59:59.999999-14:00',
];
const DATES = [
  '0000-01-01',
  '0001-01-01',
  '1969-12-31',
  '2000-02-29',
  '2200-01-01',
  '2255-06-06',
  '9999-12-31',
];

const REQUIRED: Readonly<Record<string, object>> = {
  putProduct: { name: 'Product', checkoutClass: 'standard' },
};

type Spec = OperationSpec & { readonly name: string };

/** A day's rule names a day or date; most schemas also have the format. */
const TIME = /"format":"date|"x-rule":"must be an? (?:UTC day|calendar date|RFC 3339)/;

function timesIn(schema: OperationSpec['query'] | OperationSpec['body']): string[] {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Record<string, object> };
  return Object.entries(properties)
    .filter(([, member]) => TIME.test(JSON.stringify(member)))
    .map(([name]) => name);
}

const reseller = await h.seed.reseller();
const listing = await h.seed.listing();
const endpoint = await h.call('POST', '/export/v1/webhook-endpoints', {
  token: reseller.token,
  body: { url: 'https://shop.example/hook', types: ['*'] },
});
const ids: Readonly<Record<string, string>> = {
  accountId: reseller.accountId,
  clientId: reseller.clientId,
  productId: listing.productId,
  sellerId: listing.sellerId,
  endpointId: endpoint.body.data.id,
};

async function send({ method, path, audience }: Spec, query: URLSearchParams, body?: object, headers = {}) {
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    ok(ids[name] !== undefined, `${path}: the test has no ${name}`);
    return ids[name];
  });
  const url = `${at}?${query}`;
  const answer = await fetch(h.url + url, {
    method,
    headers: {
      authorization: `Bearer ${audience === 'operator' ? h.operatorToken : reseller.token}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  ok(
    [200, 201, 202, 400, 409].includes(answer.status),
    `${method} ${url} ${JSON.stringify(body)}: ${answer.status} ${text}`,
  );
}

const operations: readonly Spec[] = OPERATION_LIST;
const withTimes = operations.filter(({ query, body }) => [...timesIn(query), ...timesIn(body)].length > 0);

test.each(withTimes.map((operation) => [operation.name, operation] as const))(
  '%s takes or rejects every date-time',
  async (_, operation) => {
    for (const value of [...DATE_TIMES, ...DATES]) {
      const names = timesIn(operation.query);
      for (const name of names) await send(operation, new URLSearchParams({ [name]: value }));
      if (names.length > 1) await send(operation, new URLSearchParams(names.map((name) => [name, value])));
      const inBody = timesIn(operation.body);
      if (inBody.length > 0)
        await send(operation, new URLSearchParams(), {
          ...REQUIRED[operation.name],
          ...Object.fromEntries(inBody.map((name) => [name, value])),
        });
      if (isListWithCsv(operation) && names.length > 0)
        await send(operation, new URLSearchParams(names.map((name) => [name, value])), undefined, {
          accept: 'text/csv',
        });
    }
  },
);

test('the cursors of feeds take or reject every position', async () => {
  for (const [path, owner, count] of [
    ['/product-offers/changes', '', 2],
    ['/events', reseller.accountId, 1],
  ] as const) {
    const { body } = await reseller.get(path);
    const cursor = decodeFeedCursor(body.meta.nextCursor, count, owner);
    ok(cursor !== undefined, JSON.stringify(body.meta));
    for (const place of [-(2n ** 63n), -1n, 0n, 2n ** 53n, 2n ** 63n - 1n]) {
      const forged = encodeFeedCursor({ ...cursor, places: cursor.places.map(() => place) }, owner);
      const answer = await reseller.get(`${path}?cursor=${forged}`);
      ok([200, 400, 410].includes(answer.status), `${path} ${place}: ${JSON.stringify(answer.body)}`);
    }
  }
});
