/**
 * Every operation returns 400 as its schemas say; unknown-ids.db.test.ts tests 404, and operator/roles.db.test.ts 401 and 403.
 * A9, A10.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type NamedOperation, OPERATION_LIST } from '@keyport/contract/operations';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../support/events.ts';
import { readChanges } from '../support/feed-reader.ts';
import type { ApiResponse } from '../support/harness.ts';
import { seedMember } from '../support/person.ts';
import { sharedHarness } from '../support/vitest.ts';
import { findBreaks, type Rules, toBody } from './body-breaks.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();
const other = await h.seed.reseller();
const owner = await seedMember(h, reseller);
const { offerId, sellerId } = await h.seed.listing();
const own: Readonly<Record<string, string>> = { accountId: reseller.accountId, offerId, sellerId };

const BAD_TIMES = [
  ...['', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', 'now'],
  ...['2026-01-01T24:00:00Z', '2026-01-01T23:59:60Z', '2026-01-01T00:60:00Z', '2026-01-01%2000:00:00Z'],
  ...['1767225600', '2026-01-01T00:00Z', '2026-01-01T00:00:00.Z', '2026-1-1T00:00:00Z', 'infinity'],
  ...['2026-01-01T00:00:00%2B25:00', '+2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z;', '9'.repeat(70)],
  '2026-01-01T00:00:00+02:00',
];
const VALUES = [
  ...[
    '',
    '0',
    '-1',
    '1.5',
    '1.0',
    '10.0',
    '.5',
    '1.',
    '1,00',
    '1.234',
    '01',
    '1e3',
    '1e13',
    '0x1',
    '15',
    '101',
    '%2B1',
  ],
  ...['1%20', '%201', '1000001', '100000000000', '99999999999999999999', 'x', 'asc', 'Complete', 'COMPLETE'],
  ...['complete%20', 'complete,held', "'%20OR%201=1", '1234567890123', '00000000000017', '12345678901234567'],
  ...['1000000000001x', '-12345678901234', '%20%20', encodeURIComponent('١٠'), 'A'.repeat(1_001)],
];
/** No text may be encoded like these. */
const BROKEN = ['%zz', '%ff', '1%00'];

const withQuery = OPERATION_LIST.filter(({ query }) => query !== undefined);
const withBody = OPERATION_LIST.filter(({ body }) => body !== undefined && 'properties' in body);
const PERIODS = ['', 'date', 'createdAt', 'updatedAt'].map((of) =>
  of === '' ? (['from', 'to'] as const) : ([`${of}From`, `${of}To`] as const),
);
const withPeriod = OPERATION_LIST.flatMap((operation: NamedOperation) =>
  PERIODS.filter((names) => names.every((name) => operation.query?.properties[name] !== undefined)).map(
    ([from, to]) => [operation.name, operation, from, to] as const,
  ),
);
const withId = OPERATION_LIST.filter(({ path }) => path.includes('{'));
/** import-lists.db.test.ts reads the lists of a run. */
const withCursor = OPERATION_LIST.filter(
  ({ path, query }) => query?.properties['cursor'] !== undefined && !path.includes('{runId}'),
);
const withKey = OPERATION_LIST.filter((operation: NamedOperation) => operation.idempotency !== undefined);

describe('400', () => {
  test.for(withQuery)('$name names every invalid parameter', async (operation) => {
    // The parser is the same for all; resellers' few operations get every value.
    const valuesMax = operation.audience === 'reseller' ? VALUES.length : 4;
    for (const [name, schema] of Object.entries<TSchema>(operation.query?.properties ?? {})) {
      for (const value of [...toBadValues(schema), ...BROKEN].slice(0, valuesMax))
        await assertRejected(operation, `${encodeURIComponent(name)}=${value}`, name);
      if (name.endsWith('[]')) {
        await assertRejected(operation, `${name.slice(0, -2)}=1`, name, /\[\]=/);
        continue;
      }
      const value = encodeURIComponent(toGoodValue(schema) ?? '1');
      await assertRejected(operation, `${name}=${value}&${name}=${value}`, name, /once/);
      for (const brackets of ['[]', '%5B%5D', '%5B0%5D'])
        await assertRejected(operation, `${name}${brackets}=${value}`, name, /without brackets/);
    }
  });

  test.for(withBody)('$name names the field that breaks a rule of the body', async (operation) => {
    const { body: schema } = operation;
    ok(schema !== undefined);
    for (const { field, body } of findBreaks(schema, operation.audience === 'reseller' ? 99 : 2)) {
      const { status, body: answer } = await send(operation, '', body);
      const what = `${JSON.stringify(body)?.slice(0, 300)}: ${JSON.stringify(answer)}`;
      deepEqual([status, answer.error?.code], [400, 'validation-error'], what);
      equal(answer.error.errors[0].field, field, what);
    }
    for (const body of ['{', '[]', '"x"', 'null']) equal((await send(operation, '', body)).status, 400, body);
  });

  test.for<[operation: string, query: string, field: string, message: RegExp]>([
    ['listOrders', 'dateFrom=2026-02-30T00:00:00Z', 'dateFrom', /day 30 does not exist in month 2/],
    ['listOrders', 'dateFrom=2026-01-01T00:00:00+02:00', 'dateFrom', /%2B/],
    [
      'listOrders',
      'dateFrom=2026-01-01T00:00:00.000002Z&dateTo=2026-01-01T00:00:00.000001Z',
      'dateTo',
      /dateFrom/,
    ],
    ['listOrders', 'dateFrom=2026-01-01T00:00:00Z&dateTo=2026-01-01T00:30:00%2B01:00', 'dateTo', /dateFrom/],
    [
      'listProductOffers',
      'updatedAtFrom=2026-01-01T00:00:00.000002Z&updatedAtTo=2026-01-01T00:00:00.000001Z',
      'updatedAtFrom',
      /updatedAtTo/,
    ],
    ['listProductOffers', Array(21).fill('productIds[]=10000000000017').join('&'), 'productIds[]', /1 to 20/],
    ['listProductOffers', 'productIds[0]=10000000000017&productIds[1]=1', 'productIds[1]', /14 digits/],
    ['listProductOffers', 'productIds[]', 'productIds[0]', /14 digits/],
    ['listProductOffers', 'productIds[x]=10000000000017', 'productIds[]', /productIds\[\]=/],
    ['listProductOffers', 'productIds[0][1]=10000000000017', 'productIds[]', /productIds\[\]=/],
    ['listEvents', 'types[]=order.complete&types[]=*', 'types[1]', /order\.complete/],
    ['listProductDetails', 'page=1', 'productIds[]', /required/],
  ])('%s, %s: the message explains it', async ([name, query, field, message]) => {
    await assertRejected(toOperation(name), query, field, message);
  });

  test.for<[operation: string, query: string]>([
    ['listOrders', 'dateFrom=2026-01-01T00:00:00.000001Z&dateTo=2026-01-01T00:00:00.000001Z'],
    ['listProductOffers', 'updatedAtFrom=2026-01-01T00:00:00Z&updatedAtTo=2026-01-01T00:00:00Z'],
  ])('%s: bounds may be equal', async ([name, query]) => {
    equal((await send(toOperation(name), query)).status, 200);
  });

  test.for(withPeriod)('%s rejects a period that ends before it begins', async ([, operation, from, to]) => {
    const isDay = (operation.query?.properties[from] as Rules | undefined)?.format === 'date';
    const [early, late] = isDay
      ? ['2026-01-01', '2026-01-02']
      : ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    await assertRejected(
      operation,
      `${from}=${late}&${to}=${early}`,
      operation.name === 'listProductOffers' ? from : to,
    );
  });

  test.for(withCursor)('$name rejects a cursor that no page has returned', async (operation) => {
    await assertRejected(operation, 'cursor=x', 'cursor');
  });

  test('a cursor of another account, or one that was changed, is rejected with the remedy', async () => {
    const { nextCursor } = (await readEvents(reseller)).meta;
    const foreign = (await readEvents(other)).meta.nextCursor;
    const { nextCursor: ofChanges } = (await readChanges(reseller)).meta;
    for (const [name, cursor, message] of [
      ['listEvents', foreign, /this account.*leave it out/],
      ['listEvents', nextCursor.slice(1), /nextCursor.*leave it out/],
      ['listEvents', `${nextCursor}A`, /nextCursor.*leave it out/],
      ['listProductChanges', ofChanges.slice(1), /nextCursor.*leave it out/],
      ['listProductChanges', `${ofChanges}A`, /nextCursor.*leave it out/],
    ] as const)
      await assertRejected(toOperation(name), `cursor=${cursor}`, 'cursor', message);
  });

  test.for([
    ['listOrders', 'page=0&itemsPerPage=7&sort=x&status=y&orderId=z&dateFrom=w'],
    [
      'listProductOffers',
      'page=0&itemsPerPage=7&updatedAtFrom=x&maxPrice=0&totalQuantity=0&productIds%5B0%5D=1',
    ],
  ] as const)('%s: every wrong parameter is named', async ([name, query]) => {
    const { body } = await send(toOperation(name), query);
    const names = Array.from(new URLSearchParams(query).keys(), (parameter) => `query.${parameter}`);
    deepEqual(body.error.errors.map(({ field }: { field: string }) => field).sort(), names.sort());
  });
});

test.for(withId)('400: $name names an invalid id in its path', async (operation) => {
  const invalid = operation.path.replaceAll(/\{\w+\}/g, '%20');
  const { status, body } = await call(operation, invalid, toBody(operation));
  deepEqual([status, body.error.code], [400, 'validation-error'], invalid);
  ok(body.error.errors[0].field.startsWith('path.'), JSON.stringify(body.error.errors));
});

test.for(withKey)(
  '400: $name names an invalid Idempotency-Key, and one that is missing',
  async (operation: NamedOperation) => {
    const needsKey = operation.idempotency === 'required' || operation.idempotency === 'required-by-quantity';
    const keys = ['x', '', '00000000-0000-0000-0000-000000000000', `${randomUUID()}, ${randomUUID()}`];
    for (const key of [...keys, ...(needsKey ? [undefined] : [])]) {
      const { status, body } = await call(operation, toPath(operation), toBody(operation), key ?? null);
      deepEqual([status, body.error?.errors?.[0].field], [400, 'headers.idempotency-key'], String(key));
    }
  },
);

function toOperation(name: string): NamedOperation {
  const operation = OPERATION_LIST.find((each) => each.name === name);
  ok(operation !== undefined, `${name} is an operation`);
  return operation;
}

/** Sends no Idempotency-Key if it is null. */
function call(
  { method, audience, permission, hasStreamedBody }: NamedOperation,
  path: string,
  body?: unknown,
  key: string | null = randomUUID(),
): Promise<ApiResponse> {
  const token = audience === 'operator' ? h.operatorToken : reseller.token;
  const isForPeople = permission === 'members';
  return (isForPeople ? owner : h).call(method, path, {
    ...(isForPeople ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(method === 'GET' || key === null ? {} : { 'idempotency-key': key }),
      ...(hasStreamedBody === true ? { 'content-type': 'application/x-ndjson' } : {}),
    },
  });
}

function toPath(operation: NamedOperation): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema: TSchema | undefined = operation.params?.properties[name];
    return own[name] ?? toGoodValue(schema ?? {}) ?? randomUUID();
  });
}

function send(operation: NamedOperation, query: string, body?: unknown): Promise<ApiResponse> {
  return call(operation, query === '' ? toPath(operation) : `${toPath(operation)}?${query}`, body);
}

async function assertRejected(
  operation: NamedOperation,
  query: string,
  field: string,
  message?: RegExp,
): Promise<void> {
  const { status, body } = await send(operation, query);
  const at = `${operation.name}?${query}`;
  deepEqual([status, body?.error?.code], [400, 'validation-error'], at);
  const start = `query.${field.replace(/\[\]$/, '[')}`;
  const error = body.error.errors.find((each: { field: string }) => each.field.startsWith(start));
  ok(error !== undefined, `${at}: ${JSON.stringify(body.error.errors)}`);
  if (message !== undefined) expect(error.message, at).toMatch(message);
}

function toBadValues(schema: TSchema): readonly string[] {
  const rules = schema as Rules;
  if (rules.items !== undefined) return toBadValues(rules.items);
  if (rules.format === 'date-time') return BAD_TIMES;
  return VALUES.filter((value) => breaks(rules, decodeURIComponent(value)));
}

function breaks(rules: Rules, value: string): boolean {
  if (rules.enum !== undefined) return !rules.enum.includes(value);
  if (rules.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = rules;
    return !/^(?:0|[1-9][0-9]*)$/.test(value) || Number(value) < minimum || Number(value) > maximum;
  }
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = rules;
  return (
    value.length < minLength ||
    value.length > maxLength ||
    (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
  );
}

function toGoodValue(schema: TSchema): string | undefined {
  const { enum: values, examples, format, minimum, type } = schema as Rules;
  if (values !== undefined) return values[0];
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (type === 'integer') return String(minimum ?? 1);
  return examples?.[0] as string | undefined;
}
