/** The database's clock steps back and forth, because of NTP, an operator or a failover. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setClock } from '../support/clock.ts';
import { type ApiResponse, type Harness, manual, type Reseller, startHarness } from '../support/harness.ts';
import { callImport } from '../support/import-call.ts';
import { advanceDays } from '../support/past.ts';
import { wholeFile } from '../support/vitest.ts';

type Line = { readonly level: number; readonly msg: string; readonly stepSeconds?: number };

const ERROR = 50;
const lines: Line[] = [];
const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) });

const h = await startHarness(
  wholeFile,
  { KEYPORT_GATEWAY_TIMEOUT_MS: '20', KEYPORT_METRICS_PORT: '0' },
  undefined,
  log,
);

/** Every row must be in the past when the invariants are checked. */
afterEach(() => setClock(h.database, '100 days'));

async function placeOrders(reseller: Reseller, offerId: string, count: number): Promise<string[]> {
  const placed = Array.from({ length: count }, async () => {
    const { status, body } = await reseller.order(manual(offerId));
    equal(status, 201, JSON.stringify(body));
    equal(body.data.status, 'complete');
    return body.data.id as string;
  });
  return Promise.all(placed);
}

async function assertHistory(reseller: Reseller, ids: readonly string[]): Promise<void> {
  const asOperator = (query: string) => h.admin('GET', `/orders?accountId=${reseller.accountId}&${query}`);
  for (const read of [(query: string) => reseller.get(`/orders?${query}`), asOperator]) {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = (await read(`page=${page}&itemsPerPage=100`)).body;
      equal(meta.totalResults, ids.length);
      found.push(...data.map(({ id }: { id: string }) => id));
      if (data.length < 100) break;
    }
    deepEqual(found.toSorted(), ids.toSorted());
  }
}

/** Leaves out I19: orders placed while the clock was ahead violate it until time catches up. */
async function brokenInvariants(at: Harness = h): Promise<string[]> {
  const results = await at.service.verify();
  return results.filter(({ id, broken }) => broken > 0 && id !== 'I19').map(({ id }) => id);
}

test('orders placed behind the horizon of the history are in the history', async () => {
  const reseller = await h.seed.reseller({ balance: '5000.00' });
  const { offerId } = await h.seed.listing({ stock: 300 });
  const ids = await placeOrders(reseller, offerId, 120);
  await setClock(h.database, '200 seconds');
  await h.service.countHistory();
  await setClock(h.database, '-200 seconds');
  ids.push(...(await placeOrders(reseller, offerId, 110)));
  await assertHistory(reseller, ids);
  await h.service.countHistory();
  await assertHistory(reseller, ids);
  deepEqual(await brokenInvariants(), []);
  await setClock(h.database, '0');
  await assertHistory(reseller, ids);
  await h.operate('POST', `/orders/${ids.at(-1)}/refund`, { reason: 'test' });
  await h.service.countHistory();
  await assertHistory(reseller, ids);
  deepEqual(await brokenInvariants(), []);
});

test('the check states when the future time of an order is reached', async () => {
  await setClock(h.database, '95 days');
  const reseller = await h.seed.reseller({ balance: '50.00' });
  const { offerId } = await h.seed.listing();
  const [id] = await placeOrders(reseller, offerId, 1);
  await setClock(h.database, '94 days 23 hours');
  const found = (await h.service.verify()).find((result) => result.id === 'I19');
  const [example = ''] = (found?.examples ?? []).filter((text) => text.startsWith(`order ${id} `));
  const [, seconds] = /has not reached: .* the violation ends in ([0-9]+) s$/.exec(example) ?? [];
  ok(Number(seconds) > 3000 && Number(seconds) <= 3600, example);
});

test('the worker repairs wrong and missing buckets of the history', async () => {
  const { db } = h.database;
  const [reseller, other] = [
    await h.seed.reseller({ balance: '50.00' }),
    await h.seed.reseller({ balance: '50.00' }),
  ];
  const { offerId } = await h.seed.listing({ price: '1.00', stock: 20 });
  const [ids, others] = [await placeOrders(reseller, offerId, 10), await placeOrders(other, offerId, 10)];
  await setClock(h.database, '100 days 10 minutes');
  await h.service.countHistory();
  const tooFew = sql`complete = complete - 4, held = held + 1`;
  const tooMany = sql`complete = complete + 2000`;
  for (const wrong of [tooFew, tooMany]) {
    await sql`UPDATE history_bucket SET ${wrong} WHERE history = ${reseller.accountId}::uuid`.execute(db);
    await sql`DELETE FROM history_bucket WHERE history = ${other.accountId}::uuid`.execute(db);
    deepEqual(await brokenInvariants(), ['I60']);
    await h.service.countHistory();
    deepEqual(await brokenInvariants(), []);
  }
  await assertHistory(reseller, ids);
  await assertHistory(other, others);
});

test('an order is not held for the age of its account when that rule is off', async () => {
  await setClock(h.database, '0');
  const reseller = await h.seed.reseller({ balance: '50.00' });
  const { offerId } = await h.seed.listing();
  await setClock(h.database, '-10 minutes');
  await placeOrders(reseller, offerId, 2);
});

const STEPS: readonly (readonly [there: string, back: string])[] = [
  ['10 minutes', '0'],
  ['-10 minutes', '0'],
  ['1 hour', '0'],
  ['25 hours', '0'],
  ['-25 hours', '0'],
  ['40 days', '39 days'],
];

const statusOf = ({ status, body }: ApiResponse): string =>
  status === 201 ? body.data.status : body.error.code;

/** Places an order before the worker notices a step of the clock, and another one afterwards. */
async function orderTwice(at: Harness, order: () => Promise<ApiResponse>): Promise<string[]> {
  const unnoticed = statusOf(await order());
  await at.service.runOrderWorker();
  return [unnoticed, statusOf(await order())];
}

/** Repeats the work if the real hour, and perhaps the day, ended during it. */
async function withinOneHour(work: () => Promise<void>): Promise<void> {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  for (;;) {
    const began = hour();
    try {
      return await work();
    } catch (error) {
      if (hour() === began) throw error;
    }
  }
}

test('the limits of the real day and hour apply before, during and after each step', async (t) => {
  const own = await startHarness(t, { KEYPORT_RISK_HOLD_ORDERS_PER_HOUR: '5' });
  const { offerId } = await own.seed.listing({ price: '1.00', stock: 300 });
  for (const [there, back] of STEPS) {
    await setClock(own.database, '0');
    await own.service.runOrderWorker();
    await withinOneHour(async () => {
      const limited = await own.seed.reseller({
        balance: '50.00',
        account: { limits: { dailySpendMax: '4.00' } },
      });
      const units = await own.seed.reseller({ balance: '50.00', account: { limits: { dailyUnitsMax: 4 } } });
      const often = await own.seed.reseller({ balance: '50.00' });
      const order = (reseller: Reseller) => () => reseller.order(manual(offerId));
      const ordered = { limited: [] as string[], units: [] as string[], often: [] as string[] };
      for (const offset of ['0', there, back]) {
        await setClock(own.database, offset);
        ordered.limited.push(...(await orderTwice(own, order(limited))));
        ordered.units.push(...(await orderTwice(own, order(units))));
        ordered.often.push(...(await orderTwice(own, order(often))));
      }
      const refused = ['complete', 'complete', 'complete', 'complete'].concat(
        Array(2).fill('cart-validation-error'),
      );
      const held = ['complete', 'complete', 'complete', 'complete', 'complete', 'held'];
      deepEqual(ordered, { limited: refused, units: refused, often: held }, `${there}, then ${back}`);
      await advanceDays(own, limited.accountId, 1);
      equal(statusOf(await order(limited)()), 'complete', 'the next day has a new limit');
    });
  }
  await setClock(own.database, '50 days');
});

/** After seven days the current clock counts as the right one. */
async function expireSteps(at: Harness): Promise<void> {
  await sql`UPDATE clock_step SET at = at - interval '7 days'`.execute(at.database.db);
  await at.service.runOrderWorker();
}

test('limits follow the clock again seven days after it was corrected', async (t) => {
  const own = await startHarness(t, { KEYPORT_RISK_HOLD_ORDERS_PER_HOUR: '5' });
  const { offerId } = await own.seed.listing({ price: '1.00', stock: 100 });
  const stepTo = async (offset: string) => {
    await setClock(own.database, offset);
    await own.service.runOrderWorker();
  };
  await withinOneHour(async () => {
    await stepTo('0');
    await expireSteps(own);
    const limited = await own.seed.reseller({
      balance: '50.00',
      account: { limits: { dailySpendMax: '4.00', dailyUnitsMax: 4 } },
    });
    const often = await own.seed.reseller({ balance: '50.00' });
    const order = async (reseller: Reseller, count: number) => {
      const responses: string[] = [];
      while (responses.length < count) responses.push(statusOf(await reseller.order(manual(offerId))));
      return responses;
    };
    const complete = (count: number) => Array<string>(count).fill('complete');
    await stepTo('365 days');
    await expireSteps(own);
    deepEqual(await order(limited, 4), complete(4));
    deepEqual(await order(often, 5), complete(5));
    await stepTo('0');
    deepEqual(await order(limited, 1), ['cart-validation-error']);
    deepEqual(await order(often, 1), ['held']);
    await expireSteps(own);
    deepEqual(await order(limited, 5), [...complete(4), 'cart-validation-error']);
    deepEqual(await order(often, 6), [...complete(5), 'held']);
    deepEqual(await brokenInvariants(own), []);
    // When the clock reaches the day of its correction, the earlier orders count on that day, once.
    await stepTo('365 days');
    await expireSteps(own);
    deepEqual(await order(limited, 1), ['cart-validation-error']);
    deepEqual(await order(often, 1), ['complete']);
    deepEqual(await brokenInvariants(own), []);
  });
  await setClock(own.database, '400 days');
});

test('a step forward ends, forgets or deletes nothing', async () => {
  for (const offset of ['0', '1 hour', '25 hours', '40 days', '0', '25 hours', '0']) {
    await setClock(h.database, '0');
    await h.service.runOrderWorker();
    const reseller = await h.seed.reseller({ balance: '50.00' });
    const gateway = await h.seed.reseller({
      account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_timeout' },
    });
    const { offerId } = await h.seed.listing({ stock: 5 });
    const [id = ''] = await placeOrders(reseller, offerId, 1);
    const refusedKey = randomUUID();
    const refuse = () => reseller.order(manual(offerId, { quantity: 9 }), refusedKey);
    equal((await refuse()).status, 400);
    const waiting = (await gateway.order(manual(offerId))).body.error.data.orderId as string;
    await advanceDays(h, reseller.accountId, 1);

    await setClock(h.database, offset);
    equal((await reseller.get(`/orders/${id}/keys`)).status, 200);
    for (let round = 0; round < 2; round += 1) await h.service.runOrderWorker();
    equal((await reseller.get(`/orders/${id}/keys`)).status, 200);
    equal((await gateway.get(`/orders/${waiting}`)).body.data.status, 'pending_payment');
    equal((await refuse()).headers.get('idempotent-replayed'), 'true');
    deepEqual(await brokenInvariants(), []);
    await h.operate('POST', `/orders/${waiting}/cancel`, { reason: 'test' });
  }
});

test('a running import cannot be restored after a step forward', async () => {
  await setClock(h.database, '0');
  await h.service.runOrderWorker();
  const target = 'keys?deleteMissing=true';
  const running = callImport({ url: h.url, token: h.operatorToken, target });
  await running.send('{}\n'.repeat(1_001));
  ok((await running.stored(1_000)).rejected > 0);
  const { rows } = await sql<{ run: string }>`
    SELECT max(number)::text AS run FROM import_run`.execute(h.database.db);
  const restore = () =>
    h.admin('POST', `/imports/${rows[0]?.run}/restore`, { reason: 'The feed was truncated' });
  await setClock(h.database, '25 hours');
  await h.service.runOrderWorker();
  equal((await restore()).status, 409);
  running.end();
  equal((await running.outcome()).result?.rejected, 1_001);
  equal((await restore()).status, 200);
});

test('an open payment does not wait until a clock that stepped back catches up', async () => {
  await setClock(h.database, '25 hours');
  await h.service.runOrderWorker();
  const gateway = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_late' },
  });
  const { offerId } = await h.seed.listing();
  const { body } = await gateway.order(manual(offerId));
  await setClock(h.database, '0');
  for (let round = 0; round < 3; round += 1) await h.service.runOrderWorker();
  const { data } = (await gateway.get(`/orders/${body.error.data.orderId}`)).body;
  equal(data.status, 'complete');
});

test('a step back is recorded only together with its corrections', async () => {
  const { db } = h.database;
  await setClock(h.database, '25 hours');
  await h.service.runOrderWorker();
  const gateway = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_late' },
  });
  const { offerId } = await h.seed.listing();
  const { body } = await gateway.order(manual(offerId));
  await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`.execute(
    db,
  );
  await sql`CREATE TRIGGER fails BEFORE UPDATE ON gateway_payment EXECUTE FUNCTION fail()`.execute(db);
  await setClock(h.database, '0');
  await h.service.runOrderWorker();
  await sql`DROP FUNCTION fail CASCADE`.execute(db);
  for (let round = 0; round < 3; round += 1) await h.service.runOrderWorker();
  const { data } = (await gateway.get(`/orders/${body.error.data.orderId}`)).body;
  equal(data.status, 'complete');
});

test('a step that another node records during a check is reported once', async (t) => {
  const said: { readonly stepSeconds?: number; readonly shiftSeconds?: number }[] = [];
  const ownLog = pino({ level: 'error' }, { write: (text: string) => void said.push(JSON.parse(text)) });
  const own = await startHarness(t, {}, undefined, ownLog);
  const { db } = own.database;
  await setClock(own.database, '1 hour');
  // The other node commits right after this one has read the previous shift.
  await sql`ALTER FUNCTION clock_shift() RENAME TO clock_shift_before`.execute(db);
  await sql`CREATE FUNCTION clock_shift() RETURNS interval LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      shift interval := clock_shift_before();
    BEGIN
      INSERT INTO clock_step (at, step) SELECT clock_timestamp(), interval '1 hour'
        WHERE NOT EXISTS (SELECT FROM clock_step);
      RETURN shift;
    END $$`.execute(db);
  for (let round = 0; round < 2; round += 1) await own.service.runOrderWorker();
  await sql`DROP FUNCTION clock_shift()`.execute(db);
  await sql`ALTER FUNCTION clock_shift_before() RENAME TO clock_shift`.execute(db);
  deepEqual(
    said.map(({ stepSeconds, shiftSeconds }) => [stepSeconds, shiftSeconds]),
    [[3600, 3600]],
  );
});

test('the log and the metrics report that the clock stepped back', async () => {
  await setClock(h.database, '2 hours');
  await h.service.runOrderWorker();
  lines.length = 0;
  await setClock(h.database, '1 hour');
  await h.service.runOrderWorker();
  const said = lines.filter(({ stepSeconds }) => stepSeconds !== undefined);
  deepEqual(
    said.map(({ level, msg }) => [level, msg.split(':')[0]]),
    [[ERROR, "the database's clock went back by 3600 s"]],
  );
  const text = await (await fetch(h.service.metricsUrl ?? '')).text();
  match(text, /^keyport_database_clock_steps_total\{direction="back"\} [1-9]/m);
  const shift = /^keyport_database_clock_shift_seconds ([0-9.]+)$/m.exec(text)?.[1];
  ok(Math.abs(Number(shift) - 3600) < 60, text);
});
