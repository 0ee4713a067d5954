import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { createRateLimit } from '@keyport/http/admission/rate-limit';
import { ApiError } from '@keyport/http/replies/api-error';
import { test } from 'vitest';
import { expectError, fetchResponse, RESELLER, startServer } from './support.ts';

const PAGE = '/export/v1/product-offers';
const ACCOUNT = '/export/v1/account';
const OWN_ACCOUNT = {
  id: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
  name: 'Shop',
  currency: 'EUR',
  balance: '10.00',
  status: 'active',
  paymentMethod: null,
  discountPercent: '0',
  limits: {},
  balanceLowThreshold: null,
  returnWindowHours: 0,
  claimWindowHours: 720,
  usedToday: { spend: '0.00', units: 0 },
};
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

test('a request without a token gets 401 with a challenge for a bearer token', async (t) => {
  const { url } = await startServer(t);
  const answer = await fetchResponse(url + PAGE);
  expectError(answer, 'unauthorized');
  equal(answer.headers['www-authenticate'], 'Bearer');
  const basic = await fetchResponse(url + PAGE, { headers: { authorization: 'Basic eDp5' } });
  equal(basic.headers['www-authenticate'], 'Bearer');
  const refused = await fetchResponse(url + PAGE, { headers: { authorization: 'Bearer old' } });
  equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"');
});

test('a valid trace id of the caller is used; otherwise each request gets its own', async (t) => {
  const { url } = await startServer(t);
  const traceIdFor = async (traceparent: string) => {
    const answer = await fetchResponse(url + PAGE, { headers: { ...RESELLER, traceparent } });
    equal(JSON.parse(answer.text).traceId, answer.headers['x-trace-id']);
    return answer.headers['x-trace-id'];
  };
  equal(await traceIdFor(`00-${TRACE_ID}-00f067aa0ba902b7-01`), TRACE_ID);
  const others = [
    '',
    TRACE_ID,
    `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-00f067aa0ba902b7-01`,
  ];
  const seen = new Set<string | undefined>();
  for (const traceparent of others) {
    const traceId = await traceIdFor(traceparent);
    notEqual(traceId, TRACE_ID);
    match(traceId ?? '', /^[0-9a-f]{32}$/);
    seen.add(traceId);
  }
  equal(seen.size, others.length);
});

test('a response has exactly the members of its schema', async (t) => {
  const { url } = await startServer(t, {
    stubs: {
      getOwnAccount: () => ({
        status: 200,
        data: { ...OWN_ACCOUNT, privateDebug: 'hidden', secret: 'hidden', limits: { hidden: 1 } },
      }),
    },
  });
  const answer = await fetchResponse(url + ACCOUNT, { headers: RESELLER });
  deepEqual(JSON.parse(answer.text), { traceId: answer.headers['x-trace-id'], data: OWN_ACCOUNT });
});

test('no error response contains privateDebug, wherever a handler puts it', async (t) => {
  const debug = { privateDebug: { sql: 'SELECT hidden' } };
  const error = new ApiError('insufficient-funds', { data: { required: '1.00', ...debug } });
  const { url } = await startServer(t, {
    stubs: {
      getOwnAccount: () => {
        throw Object.assign(error, debug);
      },
      listProductOffers: () => {
        throw Object.assign(new Error('hidden'), debug, { statusCode: 400, code: 'FST_ERR_HIDDEN' });
      },
    },
  });
  const refused = await fetchResponse(url + ACCOUNT, { headers: RESELLER });
  deepEqual(expectError(refused, 'insufficient-funds').data, { required: '1.00' });
  const failed = await fetchResponse(url + PAGE, { headers: RESELLER });
  for (const answer of [refused, failed]) ok(!/hidden|privateDebug/.test(answer.text), answer.text);
});

test('a fault returns a fixed sentence, and its cause is in the log without secrets', async (t) => {
  const cause = Object.assign(new Error('duplicate key value'), {
    detail: 'row 7',
    password: 'hidden-1',
    headers: { authorization: 'Bearer hidden-2' },
  });
  const { url, log } = await startServer(t, {
    stubs: {
      getOwnAccount: () => {
        throw new Error('INSERT failed', { cause });
      },
    },
  });
  const answer = await fetchResponse(url + ACCOUNT, { headers: RESELLER });
  const error = expectError(answer, 'internal-server-error');
  match(error.message, /went wrong on our side/);
  ok(!/INSERT|duplicate|row 7|at /.test(answer.text));
  const line = JSON.stringify(log.find(({ level }) => level === 'error'));
  match(line, /INSERT failed/);
  match(line, /duplicate key value/);
  match(line, new RegExp(answer.headers['x-trace-id'] ?? '-'));
  ok(!line.includes('hidden'));
});

test('a response that violates its schema is a fault and is not sent', async (t) => {
  const replies = [
    { status: 200, data: { ...OWN_ACCOUNT, name: undefined } },
    { status: 200, data: { ...OWN_ACCOUNT, paymentMethod: 'cash' } },
    { status: 202, data: OWN_ACCOUNT },
  ];
  for (const reply of replies) {
    const { url } = await startServer(t, { stubs: { getOwnAccount: () => reply } });
    expectError(await fetchResponse(url + ACCOUNT, { headers: RESELLER }), 'internal-server-error');
  }
});

test('a client past its budget gets Retry-After, and orders have a separate budget', async (t) => {
  let nowMs = 0;
  const rateLimit = createRateLimit({ perSecond: { reads: 2, orders: 1 }, nowMs: () => nowMs });
  ok(rateLimit !== undefined);
  const { url, calls } = await startServer(t, { rateLimit });
  const read = () => fetchResponse(url + PAGE, { headers: RESELLER });
  equal((await read()).status, 200);
  equal((await read()).status, 200);
  const refused = await read();
  deepEqual(expectError(refused, 'too-many-requests').data, { limit: 2, retryAfterMs: 500 });
  equal(refused.headers['retry-after'], '1');
  equal(refused.headers['ratelimit-limit'], '2');
  equal(calls.length, 2);
  const order = await fetchResponse(`${url}/export/v1/orders`, { method: 'POST', headers: RESELLER });
  expectError(order, 'unsupported-media-type');
  nowMs += 500;
  equal((await read()).status, 200);
});

test('the log has one line per request, with the pattern and never the URL', async (t) => {
  const { url, log } = await startServer(t);
  await fetchResponse(`${url}/export/v1/products/10000000000017?token=hidden%0A`, { headers: RESELLER });
  await fetchResponse(`${url}/nothing?token=hidden`, { headers: { authorization: 'Bearer hidden' } });
  await fetchResponse(`${url}/export/v1/orders/%zz?token=hidden`, { headers: RESELLER });
  const lines = log.filter(({ route }) => route !== undefined);
  deepEqual(
    lines.map(({ method, route, status, clientId }) => ({ method, route, status, clientId })),
    [
      { method: 'GET', route: '/export/v1/products/{productId}', status: 200, clientId: 'shop' },
      { method: 'GET', route: '(unknown)', status: 404, clientId: undefined },
      { method: 'GET', route: '(unknown)', status: 400, clientId: undefined },
    ],
  );
  ok(lines.every(({ traceId, durationMs }) => typeof traceId === 'string' && typeof durationMs === 'number'));
  ok(!JSON.stringify(log).includes('hidden'));
});
