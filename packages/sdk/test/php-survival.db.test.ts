/** The PHP library of clients/php through a rough network, and killed at every step. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'vitest';
import { type Harness, startHarness } from '../../server/test/support/harness.ts';
import { skipBecause } from '../../server/test/support/vitest.ts';
import { buy, credentials, finishPhp, noPhp, openFolder, PHP_DATABASES, runPhp } from './php.ts';
import { startRoughNetwork } from './rough-network.ts';
import { failedChecks, toKeyport } from './support.ts';

type Listing = Awaited<ReturnType<Harness['seed']['listing']>>;

const SHARE = 0.5;
const SEED = Number(process.env['KEYPORT_TEST_SEED'] ?? randomInt(2 ** 31));

describe('the PHP library survives', () => {
  beforeEach((t) => skipBecause(t, noPhp));
  test(`orders over a rough network are placed once each, and every process gets its own (seed ${SEED})`, async (t) => {
    const [processes, each] = [6, 10];
    const h = await startHarness(t, { KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '300' });
    const { offerId } = await h.seed.listing({ price: '1.00', stock: processes * each });
    const reseller = await h.seed.reseller({ balance: `${processes * each}.00` });
    const network = await startRoughNetwork(t, h.url, { seed: SEED, share: SHARE });
    const tokenFile = join(await openFolder(t), 'token.json');
    const input = {
      ...credentials(h, reseller, network.url),
      ...{ tokenFile, timeoutMs: 120_000, request: buy(offerId, '1.00'), count: each },
    };
    const placed = await Promise.all(Array.from({ length: processes }, () => finishPhp('orders', input)));
    const ids: string[] = placed.flat();
    const history: string[] = [];
    for await (const { id } of toKeyport(h, reseller).orders.list()) history.push(id);
    deepEqual(history.toSorted(), ids.toSorted());
    equal((await reseller.get('/account')).body.data.balance, '0.00');
    equal((await stat(tokenFile)).mode & 0o077, 0);
    // The network repeats requests immediately, and each process needs a first token.
    const others = (await failedChecks(h, reseller)).filter(
      ({ id }) => !['retry-after', 'token-reuse'].includes(id),
    );
    deepEqual(others, []);
  });

  test.for([
    ['order', 'a file', 'SQLite'],
    ['order-in-database', 'a table', 'SQLite'],
    ['order-in-database', 'a table', 'PostgreSQL'],
    ['order-in-database', 'a table', 'MariaDB'],
  ] as const)(
    '%s: a purchase killed at any step and run again with its journal in %s (%s) buys once',
    async ([what, _, engine], t) => {
      skipBecause(t, PHP_DATABASES[engine].missing);
      const database = await PHP_DATABASES[engine].open(t);
      const h = await startHarness(t);
      const folder = await openFolder(t);
      const { offerId } = await h.seed.listing({ stock: 90 });
      const reseller = await h.seed.reseller({ balance: '1000.00' });
      let step = 1;
      for (let printed: string | undefined; printed === undefined; step += 1) {
        const input = {
          ...credentials(h, reseller),
          ...{ ...database, file: join(folder, `${step}.json`) },
          ...{ purchase: `sale-${step}`, request: buy(offerId), tokenFile: join(folder, 'token.json') },
        };
        printed = await runPhp(what, input, step);
        const order = await finishPhp(what, input);
        equal(order.status, 'complete');
        if (printed !== undefined) deepEqual(JSON.parse(printed), order);
        equal((await reseller.get('/orders')).body.meta.totalResults, step, `after a crash at step ${step}`);
      }
      ok(step > (what === 'order' ? 20 : 8), `only ${step} steps`);
    },
  );

  test.for(['SQLite', 'PostgreSQL', 'MariaDB'] as const)(
    'a mirror in %s killed at any step is a whole copy after its next run',
    async (engine, t) => {
      skipBecause(t, PHP_DATABASES[engine].missing);
      const database = await PHP_DATABASES[engine].open(t);
      const h = await startHarness(t);
      const folder = await openFolder(t);
      const listings: Listing[] = [];
      for (let count = 0; count < 3; count += 1) listings.push(await h.seed.listing({ stock: 2 }));
      const reseller = await h.seed.reseller({ balance: '1000.00' });
      const current = async () => (await reseller.get('/product-offers')).body.data;
      const input = { ...credentials(h, reseller), ...database };
      let step = 1;
      for (let printed: string | undefined; printed === undefined; step += 1) {
        const listing = listings[step % 3] as Listing;
        await h.operate('PUT', `/offers/${listing.offerId}`, {
          ...{ productId: listing.productId, sellerId: listing.sellerId, status: 'active' },
          price: `${step}.00`,
        });
        await h.seed.inStep();
        printed = await runPhp('mirror', { ...input, tokenFile: join(folder, 'token.json') }, step);
        deepEqual(await finishPhp('mirror', input), await current(), `after a crash at step ${step}`);
      }
      ok(step > 10, `only ${step} steps`);

      const [{ productId }] = listings as [Listing];
      await h.operate('PUT', `/products/${productId}`, { name: 'Product', checkoutClass: 'esim' });
      await h.seed.inStep();
      const ids = async (orderable: boolean) =>
        (await finishPhp('mirror', { ...input, orderable })).map(({ id }: { id: string }) => id);
      equal((await ids(true)).includes(productId), false);
      deepEqual(
        (await ids(false)).length,
        (await ids(true)).length + 1,
        'the other filter is read again from the beginning',
      );
    },
  );
});
